# Prints the commands below one heading of a document, or, without a name, the names of all
# headings that have commands. A name is the heading in lower case, with one hyphen for all
# that is no letter and no digit. With heading=1 it prints the heading itself, for a document
# of headings of the second level; with prompt="$ " those lines alone that begin so.
# -v wanted=NAME [-v heading=1] [-v prompt=TEXT]
/^##+ / {
  title = $0
  sub(/^#+ /, "", title)
  name = tolower(title)
  gsub(/[^a-z0-9]+/, "-", name)
  gsub(/^-|-$/, "", name)
  seen = 0
}
/^    / && name != "" {
  command = substr($0, 5)
  if (prompt != "") {
    if (index(command, prompt) != 1) next
    command = substr(command, length(prompt) + 1)
  }
  if (wanted == name && heading) {
    if (!seen++) print "## " title
  } else if (wanted == name) print command
  else if (wanted == "" && !seen++) print name
}
