import { type ErrorCodes, is } from '../core/error-code.ts'

export const drawingCodes: ErrorCodes = {
  too_costly_to_draw: is(
    413,
    'Drawing the PDF takes too long, or too much memory.',
    'Read the record as JSON or CSV, or split it into several.',
  ),
}
