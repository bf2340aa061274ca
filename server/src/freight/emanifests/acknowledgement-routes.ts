import Type from 'typebox'
import { Id } from '../../platform/core/schema/schema.ts'
import { ok } from '../../platform/http/answers/answers.ts'
import { acceptTextBodies, textIn } from '../../platform/http/answers/media.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { applyAnswers } from './applying.ts'
import { states } from './contents/model.ts'

const type = 'application/edi-x12'

const example = [
  'ISA*00*          *00*          *ZZ*USCBP          *02*CSCD           *261118*1405*^*00502*000004711*0*P*>',
  'GS*FA*USCBP*CSCD*20261118*1405*4711*X*005020',
  'ST*997*0001',
  'AK1*AQ*1',
  'AK2*309*0001',
  'AK5*A',
  'AK9*A*1*1*1',
  'SE*6*0001',
  'GE*1*4711',
  'IEA*1*000004711',
].join('~\n')

/** What customs answers, for those who receive it in another way than the server does. */
export async function emanifestAcknowledgements(app: App): Promise<void> {
  acceptTextBodies(app as never, type)

  app.post(
    '/emanifests/acknowledgements',
    {
      config: { scope: 'emanifests', takes: type },
      schema: {
        tags: ['E-manifests'],
        operationId: 'acknowledgeEmanifests',
        summary: 'Apply acknowledgements of customs',
        description:
          'Takes X12 acknowledgements: TA1 and 997 (whether the syntax was accepted), 355 (accepted or rejected, with what is wrong), 350 (the status of shipments). All of the file is applied or nothing. What it answers is found by the control number, or by the number of the trip; where there is none it is a 404. The same acknowledgement a second time changes nothing.',
        body: {
          content: {
            [type]: {
              schema: Type.String({
                description: 'The interchange as it is, in ASCII or UTF-8.',
                examples: [`${example}~\n`],
              }),
            },
          },
        } as never,
        response: answers({
          200: Type.Object({
            acknowledgements: Type.Array(
              Type.Object({
                kind: Type.Enum(['TA1', '997', '355', '350'], { description: 'What it is.', examples: ['997'] }),
                outcome: Type.Enum(['accepted', 'rejected', 'status'], {
                  description: 'What it says.',
                  examples: ['accepted'],
                }),
                emanifest_id: Id('The e-manifest that it is about.'),
                state: Type.Enum(states, { description: 'The state of that now.', examples: ['submitted'] }),
                repeated: Type.Boolean({
                  description: 'Whether it had come before, and changed nothing.',
                  examples: [false],
                }),
              }),
              { description: 'In the order of the file.' },
            ),
          }),
        }),
      },
    },
    async (request) => ok(JSON.stringify({ acknowledgements: await applyAnswers(request.ctx, textIn(request, type)) })),
  )
}
