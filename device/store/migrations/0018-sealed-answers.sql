-- Question, answer and files of an answer, where the person has set a passphrase.
ALTER TABLE answers ADD COLUMN sealed BLOB;
