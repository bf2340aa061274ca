import type { FastifyRequest } from 'fastify'
import { invalid } from '../../core/refusal.ts'
import type { ExpectedRevision } from '../../core/schema/revisions.ts'

export function expectedIn(request: FastifyRequest): ExpectedRevision {
  const header = request.headers['if-match']
  return header === undefined ? null : tagsOf(header, 'If-Match')
}

/** Whether the caller of a GET says that it has this revision already. */
export function isKnown(request: FastifyRequest, etag: string | undefined): boolean {
  const header = request.headers['if-none-match']
  if (header === undefined || etag === undefined || (request.method !== 'GET' && request.method !== 'HEAD'))
    return false
  const tags = tagsOf(header, 'If-None-Match')
  return tags === 'any' || tags.includes(etag) || tags.includes(`W/${etag}`)
}

function tagsOf(header: string, name: string): 'any' | string[] {
  if (header.trim() === '*') return 'any'
  const tags = header.match(/(?:W\/)?"[^"]*"/g)
  if (!tags || header.replace(/(?:W\/)?"[^"]*"/g, '').replace(/[\s,]/g, '') !== '') {
    throw invalid(name, 'bad_etag', `${name} must be an ETag in quotation marks such as "3", or *.`)
  }
  return tags
}
