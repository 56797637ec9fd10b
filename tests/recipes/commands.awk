# Prints the commands below one heading of a document, or, without a name, the names of all
# headings that have commands. A name is the heading in lower case, with one hyphen for all
# that is no letter and no digit. -v wanted=NAME
/^## / {
  name = tolower(substr($0, 4))
  gsub(/[^a-z0-9]+/, "-", name)
  gsub(/^-|-$/, "", name)
  seen = 0
}
/^    / && name != "" {
  if (wanted == name) print substr($0, 5)
  else if (wanted == "" && !seen++) print name
}
