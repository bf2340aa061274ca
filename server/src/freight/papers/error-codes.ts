import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const paperCodes: ErrorCodes = {
  address_missing: is(409, 'There is no address to mail the record to.', 'Send `to`, or set an address in the record.'),
  bad_image: is(400, 'The body is neither a PNG nor a JPEG picture.', 'Send the file of such a picture as it is.'),
  image_too_large: is(
    400,
    'The picture has more pixels than a logo may have.',
    'Make it smaller: the message says how small.',
  ),
}
