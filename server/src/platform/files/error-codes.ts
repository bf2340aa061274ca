import { type ErrorCodes, is } from '../core/error-code.ts'

export const fileCodes: ErrorCodes = {
  bad_reference: is(
    400,
    'The name of a record is not of the form `type:id`.',
    'Send the type and the id with a colon between them, such as `bill:01932b5e-…`.',
  ),
  content_mismatch: is(
    415,
    'The content of a file is not of the type that its name, or the request, says.',
    'Send it under its own type, with the end of the name that files of this type have.',
  ),
  documents_missing: is(
    409,
    'A rule asks for documents that are attached neither to the bill nor to its manifest.',
    'Attach the documents that `details` names, or change the rule.',
  ),
  empty_file: is(400, 'The file has no content.', 'Send a file with content.'),
  in_use: is(409, 'Other records use it, so it cannot be deleted.', 'Change those that use it first.'),
  last_attachment: is(
    409,
    'The document is attached to nothing else, so it would be deleted.',
    'Attach it to another record, or delete it.',
  ),
  malformed_form: is(
    400,
    'The body is no form that can be read.',
    'Send `multipart/form-data` with its boundary; most HTTP libraries do so by themselves.',
  ),
  one_file_required: is(
    400,
    'The form has no file, more than one, or too many fields.',
    'Send one file in each request.',
  ),
  storage_full: is(
    413,
    'The files that are kept, or were sent with the link, have as many bytes as may be.',
    'Delete documents that are not needed; the message says who can give more room.',
  ),
  too_many_files: is(
    409,
    'As many files are kept, or were sent with the link, as may be.',
    'Delete documents that are not needed; the message says who can give more room.',
  ),
  unknown_document: is(400, 'There is no such document in the organization.', 'Upload it first, or correct the id.'),
  unknown_record: is(
    400,
    'A record that the request names, to attach, map or sync it, is not there.',
    'Correct its type or its id.',
  ),
}
