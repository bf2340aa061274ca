import { conflict, invalid } from '../../platform/core/refusal.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'

/** Turns a broken constraint into a refusal: what the checks before could not see, because another wrote it at the same moment. */
export function refuse(error: unknown): never {
  switch (violatedConstraint(error)) {
    case 'object_external_id':
      throw conflict('external_id_taken', 'Another object of this kind has taken this externalId at the same moment.')
    case 'object_unique_value':
      throw uniqueValueTaken()
    case 'object_reference_target':
      throw invalid(
        'json',
        'unknown_reference',
        'An object that this one refers to is gone, or was referred to at the moment it should go. Read again and repeat.',
      )
    default:
      throw error
  }
}

export function uniqueValueTaken() {
  return conflict(
    'value_taken',
    'Another object of this kind has taken a value at the same moment that must be unique.',
  )
}
