import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const cliCodes: ErrorCodes = {
  cannot_read: is([], 'The file cannot be read.', 'Correct its name or its rights.'),
  cannot_run: is([], 'The command cannot run as things are.', 'Do what the message says.'),
  cannot_write: is([], 'The file cannot be written.', 'Name another file, or correct the rights of its folder.'),
  no_organization: is([], 'There is no organization yet.', 'Make one with `lading org create`.'),
  org_required: is([], 'There are several organizations.', 'Say which with `--org`.'),
  same_file: is(
    [],
    'The report would be written over the file that is imported.',
    'Name another file with `--report`.',
  ),
  usage: is([], 'The command line is wrong.', 'See the help that the error names.'),
}
