import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const definitionCodes: ErrorCodes = {
  bad_prefix: is(
    400,
    'The prefix of the ids of a kind is not of the form that it must have.',
    'Send 1 to 10 capital letters and digits, a letter first.',
  ),
  built_in: is(
    [400, 409],
    'What is built in can be added to, but not taken away.',
    'Keep the built-in part, or remove only what was added.',
  ),
  kind_in_use: is(409, 'There are objects of the kind, or fields that refer to it.', 'Delete those first.'),
  missing: is(409, 'Objects lack a value that is to become required.', 'Give them one first.'),
  not_possible: is(
    400,
    'The field cannot have this property with its type.',
    'Leave the property out, or choose another type.',
  ),
  object_key_taken: is(409, 'There is a kind of this key already.', 'Use another key, or change that kind.'),
  prefix_taken: is(409, 'Another kind has this prefix already.', 'Use another prefix.'),
  reserved: is(400, 'The name of the field has a meaning of its own.', 'Use another name.'),
  status_in_use: is(409, 'Objects are in the state that is to be taken away.', 'Change those first.'),
  too_many_kinds: is(409, 'The organization has as many kinds as it can have.', 'Delete one first.'),
  unknown_object_key: is(
    400,
    'There is no such kind of object in the organization.',
    'Use one that `GET /definitions` lists.',
  ),
  values_are_missing: is(409, 'Objects have no value in a field that is to become required.', 'Give them one first.'),
}
