import { Readable } from 'node:stream'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import Type, { type TObject } from 'typebox'
import { named } from '../../../platform/core/schema/names.ts'
import { fileNameOf, type Paper } from '../../../platform/drawing/paper.ts'
import { renderPaper } from '../../../platform/drawing/render.ts'
import type { Answer } from '../../../platform/http/answers/answers.ts'
import { preferredOf, unacceptable } from '../../../platform/http/answers/media.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { closedSignal } from '../../../platform/http/edge/closed.ts'
import { referenceIn } from '../../../platform/http/input/params.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'

const offers = ['application/pdf'] as const

/** Where a record is, and what its paper is called in the description. */
export type Place = {
  path: string
  config: FastifyContextConfig
  tags: string[]
  params: TObject
  name: string
  what: string
  querystring?: TObject
}

export function paperRoute(
  app: App,
  { path, config, tags, params, name, what, querystring }: Place,
  paperOf: (request: FastifyRequest) => Promise<Paper>,
): void {
  app.get(
    `${path}/pdf`,
    {
      config: { ...config, offers, costs: 'paper' },
      schema: {
        tags,
        operationId: `get${name}Pdf`,
        summary: `${what.charAt(0).toUpperCase()}${what.slice(1)} as a PDF`,
        description: `Answers ${what} as a PDF file with the name, the address and the logo of the organization. The same file is answered without \`/pdf\` to who sends \`Accept: application/pdf\`.`,
        params,
        ...(querystring && { querystring }),
        response: answers({
          200: {
            description: 'The file.',
            content: {
              'application/pdf': {
                schema: named(
                  'Pdf',
                  Type.String({ format: 'binary', description: 'A PDF file.', examples: ['%PDF-1.3'] }),
                ),
              },
            },
          } as never,
        }),
      },
    },
    async (request, reply): Promise<Answer> => {
      const { accept } = request.headers
      if (!preferredOf(accept, offers)) throw unacceptable(accept, offers)
      const paper = await paperOf(request as FastifyRequest)
      return fileAnswer(paper, await renderPaper(request.ctx.org, paper, { signal: closedSignal(reply) }))
    },
  )
}

function fileAnswer(paper: Paper, content: Buffer): Answer {
  const name = fileNameOf(paper)
  const headers = {
    'content-type': 'application/pdf',
    'content-length': String(content.length),
    'content-disposition': `inline; filename="${name.replace(/[^\x20-\x7e]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`,
  }
  return { status: 200, headers, body: null, stream: Readable.from([content]), plain: true }
}

/** The record that the path names. */
export function referenceOf(params: unknown, param: string, prefix: string) {
  return referenceIn((params as Record<string, string>)[param] as string, param, prefix)
}
