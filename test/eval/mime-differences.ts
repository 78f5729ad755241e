/**
 * Messages of the published suites on which two sound readers may differ, and why. What is not named here and differs is
 * a defect until somebody has looked at it.
 */
export const knownDifferences: ReadonlyMap<string, string> = new Map([
  [
    "mime-tools/testmsgs_double-boundary.msg.eml",
    "two boundary parameters: by the last one there is a letter, by the first one a file and no letter",
  ],
  [
    "email-mime/t_Mail_nested-parts.eml",
    "the letter itself says it is an attachment: read where no other text stands, so that this hides nothing",
  ],
  [
    "rspamd/functional_messages_phish_sender2.eml",
    "a field name cut by a line break: Python ends the header there, we go on to the empty line",
  ],
  [
    "cpython-email/lib_python3.11_test_test_email_data_msg_15.txt.eml",
    "two containers with one boundary: the versions are alternatives to us, pieces of a letter to Python",
  ],
  [
    "cpython-email/lib_python3.11_test_test_email_data_msg_38.txt.eml",
    "boundary lines of open containers inside of a text: we end the parts there, Python only at the innermost one",
  ],
]);
