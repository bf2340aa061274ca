import type { FastifyRequest } from 'fastify'
import { notFound } from '../../../platform/core/refusal.ts'
import type { Answer } from '../../../platform/http/answers/answers.ts'
import { findOwn, type Name, type OwnRecord } from './own/own-store.ts'
import { type Partner, partnerOf } from './own/who.ts'

/** Every operation of the portal but the one that opens a link. */
export const config = { scope: 'partner_portal', right: 'use_portal' } as const
export const tags = ['Portal of a carrier']
export const base = '/portal'

/** What the refusals call a record. */
const words: Record<Name, string> = {
  ...{
    manifests: 'manifest',
    tenders: 'tender',
    bills: 'bill',
    questions: 'question',
    carrier_invoices: 'invoice',
    documents: 'document',
  },
}

/** The record, or a 404 that is the same whether it is somebody else's or nobody's. */
export async function requireOwn(partner: Partner, name: Name, id: string): Promise<OwnRecord> {
  const found = await findOwn(partner, name, id.toLowerCase())
  if (!found) throw notFound(words[name], id)
  return found
}

/** A handler of the portal, which knows who asks. */
export function asPartner<R extends FastifyRequest>(handle: (partner: Partner, request: R) => Promise<Answer>) {
  return async (request: R): Promise<Answer> => handle(await partnerOf(request.ctx), request)
}
