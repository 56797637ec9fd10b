//! What the tools have said before: a file for each question, named by a hash of all that
//! the answer depends on.
//!
//! A cache that cannot be read or written is none: it saves time and decides nothing.

use crate::measure::Measured;
use crate::tools::hash;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// A folder of answers.
#[derive(Clone, Debug)]
pub struct Cache {
    /// None if nothing is kept.
    pub folder: Option<PathBuf>,
}

/// What an answer depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Of the texts that make up a question.
    pub fn new(parts: &[&str]) -> Self {
        let bytes: Vec<_> = parts.iter().map(|part| part.as_bytes()).collect();
        Self(hash(&bytes))
    }
}

impl Cache {
    /// The answer, if it is known.
    pub fn get(&self, key: &Key) -> Option<Measured> {
        let text = fs::read_to_string(self.file(key)?).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Keeps an answer. Others may do the same at the same time: they see all of it or
    /// nothing.
    pub fn put(&self, key: &Key, answer: &Measured) {
        let Some(file) = self.file(key) else {
            return;
        };
        let write = || -> std::io::Result<()> {
            let folder = file.parent().unwrap_or(&file);
            fs::create_dir_all(folder)?;
            let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
            temporary.write_all(&serde_json::to_vec(answer)?)?;
            temporary.persist(&file)?;
            Ok(())
        };
        let _ = write();
    }

    fn file(&self, key: &Key) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        Some(folder.join(format!("{}.json", key.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_comes_back_for_the_same_question_alone() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache {
            folder: Some(folder.path().join("new")),
        };
        let (key, other) = (Key::new(&["a", "b"]), Key::new(&["ab"]));
        assert_eq!(cache.get(&key), None);
        let answer = Measured::Failed("it does not fit".into());
        cache.put(&key, &answer);
        assert_eq!(cache.get(&key), Some(answer.clone()));
        assert_eq!(cache.get(&other), None);
        let none = Cache { folder: None };
        none.put(&key, &answer);
        assert_eq!(none.get(&key), None);
    }

    #[test]
    fn a_spoilt_answer_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache {
            folder: Some(folder.path().to_owned()),
        };
        let key = Key::new(&["a"]);
        fs::write(cache.file(&key).unwrap(), "{").unwrap();
        assert_eq!(cache.get(&key), None);
    }
}
