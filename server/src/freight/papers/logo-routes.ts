import { Readable } from 'node:stream'
import Type from 'typebox'
import { notFound, Refusal } from '../../platform/core/refusal.ts'
import { type Answer, noContent } from '../../platform/http/answers/answers.ts'
import { preferredOf, unacceptable } from '../../platform/http/answers/media.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { removeLogo, setLogo } from './logo.ts'
import { findLogo } from './logo-store.ts'

const tags = ['Organization']
const path = '/organization/logo'
const types = ['image/png', 'image/jpeg'] as const
// No type, which the check of bodies would ask of the bytes.
const picture = Type.Unsafe<Buffer>({ format: 'binary', description: 'The file of the picture.', examples: ['…'] })
const pictures = Object.fromEntries(types.map((type) => [type, { schema: picture }]))

/** The picture on the papers of the organization. Bodies are pictures here, and nowhere else. */
export async function organizationLogo(app: App): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([...types], { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.get(
    path,
    {
      config: { scope: 'any', offers: types },
      schema: {
        tags,
        operationId: 'getOrganizationLogo',
        summary: 'Get the logo',
        description:
          'Answers the picture that is on the papers of the organization; 404 where there is none. Any good token will do.',
        response: answers({ 200: { description: 'The picture.', content: pictures } as never }),
      },
    },
    async ({ ctx, headers: { accept } }): Promise<Answer> => {
      const logo = await findLogo(ctx)
      if (!logo) throw notFound('logo', ctx.org)
      if (!preferredOf(accept, [logo.media_type])) throw unacceptable(accept, [logo.media_type])
      return {
        status: 200,
        headers: { 'content-type': logo.media_type },
        body: null,
        stream: Readable.from([logo.content]),
        plain: true,
      }
    },
  )

  app.put(
    path,
    {
      config: { scope: 'users', right: 'administer', takes: 'image/png or image/jpeg' },
      schema: {
        tags,
        operationId: 'setOrganizationLogo',
        summary: 'Set the logo',
        description:
          'Puts a picture on the papers of the organization, in place of the one before: a PNG or a JPEG of at most 1 MiB and a million pixels. It needs the role admin.',
        body: { content: pictures } as never,
        response: answers({ 204: Type.Null() }),
      },
    },
    async ({ ctx, body }): Promise<Answer> => {
      if (!Buffer.isBuffer(body) || body.length === 0)
        throw new Refusal(
          'invalid',
          'body_required',
          'This request needs a body; send a picture, with Content-Type: image/png or image/jpeg.',
        )
      await setLogo(ctx, body)
      return noContent
    },
  )

  app.delete(
    path,
    {
      config: { scope: 'users', right: 'administer' },
      schema: {
        tags,
        operationId: 'deleteOrganizationLogo',
        summary: 'Delete the logo',
        description: 'Takes the picture off the papers of the organization. It needs the role admin.',
        response: answers({ 204: Type.Null() }),
      },
    },
    async ({ ctx }) => {
      await removeLogo(ctx)
      return noContent
    },
  )
}
