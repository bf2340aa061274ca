import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Settings } from '../../settings.ts'
import { conflict, notFound } from '../core/refusal.ts'
import { envelopeOf, Id } from '../core/schema/schema.ts'
import { historyRoute } from '../events/history/history-route.ts'
import { type Answer, ok, record } from '../http/answers/answers.ts'
import { preferredOf, unacceptable } from '../http/answers/media.ts'
import type { App } from '../http/edge/app.ts'
import { emptyBody } from '../http/input/json-body.ts'
import { answers } from '../http/openapi/openapi.ts'
import { bounceMail, resendMail } from './actions.ts'
import { composeMessage } from './compose.ts'
import { BounceBody, Mail, MailSearch, mailScopes } from './model.ts'
import { findMail, findStored, listAttachments, listMails, type VisibleMails } from './store.ts'

const config = { scope: mailScopes }
const tags = ['Mail']
const path = '/mails/:mailID'
const params = Type.Object({ mailID: Id('The mail.') })
const One = Type.Object({ mail: Type.Ref('Mail') })
const response = answers({ 200: One })
const rfc822 = ['message/rfc822'] as const

export const mails =
  ({ mail: { from } }: Pick<Settings, 'mail'>) =>
  async (app: App): Promise<void> => {
    app.addSchema(Mail)

    app.get(
      '/mails',
      {
        config: { ...config, costs: 'search' },
        schema: {
          tags,
          operationId: 'searchMails',
          summary: 'Search mails',
          description:
            'Lists the mails of the organization, the newest first: those about what the scopes of the token allow, and those of users for admins.',
          querystring: MailSearch,
          response: answers({ 200: envelopeOf('mails', Type.Ref('Mail')) }),
        },
      },
      async (request) => ok(await listMails(request.ctx, request.query, visibleTo(request))),
    )

    app.get(
      path,
      {
        config,
        schema: {
          tags,
          operationId: 'getMail',
          summary: 'Get a mail',
          description: 'Answers a mail with how it went.',
          params,
          response,
        },
      },
      async (request) => {
        const found = await findMail(request.ctx, request.params.mailID, visibleTo(request))
        if (!found) throw notFound('mail', request.params.mailID)
        return record('mail', found)
      },
    )

    app.get(
      `${path}/content`,
      {
        config: { ...config, offers: rfc822 },
        schema: {
          tags,
          operationId: 'getMailContent',
          summary: 'Get the message of a mail',
          description:
            'Answers the whole message with its attachments, byte for byte as it is sent. One that holds a secret is never shown: that is a 409.',
          params,
          response: answers({
            200: {
              description: 'The message by RFC 5322.',
              content: {
                'message/rfc822': {
                  schema: Type.String({
                    examples: ['From: "Blue Ridge Freight Brokers" <no-reply@blueridge.example>\r\n'],
                  }),
                },
              },
            } as never,
          }),
        },
      },
      async (request): Promise<Answer> => {
        const { accept } = request.headers
        if (!preferredOf(accept, rfc822)) throw unacceptable(accept, rfc822)
        return messageAnswer(await messageOf(request, from), request.params.mailID)
      },
    )

    app.post(
      `${path}/resend`,
      {
        config,
        schema: {
          tags,
          operationId: 'resendMail',
          summary: 'Send a mail again',
          description:
            'Sends the same message once more, to all its addresses and with all its retries. One that held a secret cannot be sent again.',
          params,
          body: emptyBody,
          response,
        },
      },
      async (request) => record('mail', await resendMail(request.ctx, request.params.mailID, visibleTo(request))),
    )

    app.post(
      `${path}/bounce`,
      {
        config,
        schema: {
          tags,
          operationId: 'bounceMail',
          summary: 'Report that a mail came back',
          description:
            'Marks a mail as bounced, with the reason. For the hook of a mail service that reports what could not be delivered.',
          params,
          body: BounceBody,
          response,
        },
      },
      async (request) =>
        record('mail', await bounceMail(request.ctx, request.params.mailID, request.body.reason, visibleTo(request))),
    )

    historyRoute(app, {
      ...{ path, config, tags, params, name: 'Mail', one: 'a mail' },
      async recordIn(asking) {
        const { mailID: id } = asking.params as { mailID: string }
        if (!(await findMail(asking.ctx, id, visibleTo(asking)))) throw notFound('mail', id)
        return { type: 'mail', id, isThere: async () => true, unknown: () => notFound('mail', id) }
      },
    })
  }

type Asking = Pick<FastifyRequest, 'ctx' | 'token'>

function visibleTo({ ctx, token }: Asking): VisibleMails {
  return { scopes: [...token.scopes], user: ctx.actor.type === 'user' ? ctx.actor.id : null }
}

async function messageOf(
  { ctx, token, params }: Asking & { params: { mailID: string } },
  from: string,
): Promise<Buffer> {
  const mail = await findStored(ctx, params.mailID, visibleTo({ ctx, token }))
  if (!mail) throw notFound('mail', params.mailID)
  if (mail.has_secret)
    throw conflict(
      'content_is_secret',
      'This mail holds a secret, such as a link that lets somebody in; it is shown to nobody but its recipient.',
    )
  return mail.content ?? composeMessage(mail, await listAttachments(ctx, mail.id), from)
}

function messageAnswer(message: Buffer, id: string): Answer {
  const headers = {
    'content-type': 'message/rfc822',
    'content-length': String(message.length),
    'content-disposition': `attachment; filename="${id}.eml"`,
  }
  return { status: 200, headers, body: null, stream: Readable.from([message]), plain: true }
}
