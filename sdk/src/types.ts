import type { operations } from './schema.d.ts'

/** What an operation takes as its body, by its id in the reference: `RequestOf<'updateBill'>`. */
export type RequestOf<Id extends keyof operations> = operations[Id] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : never
/** What an operation answers when it succeeds. */
export type AnswerTo<Id extends keyof operations> = operations[Id] extends { responses: infer Answers }
  ? {
      [Status in keyof Answers]: Status extends 200 | 201
        ? Answers[Status] extends { content: { 'application/json': infer Answer } }
          ? Answer
          : never
        : never
    }[keyof Answers]
  : never
/** The parameters that an operation takes in its query. */
export type QueryOf<Id extends keyof operations> = operations[Id] extends { parameters: { query?: infer Query } }
  ? NonNullable<Query>
  : never
