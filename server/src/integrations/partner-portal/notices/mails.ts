import { minorUnits } from '../../../books/currencies/known.ts'
import { freightOf } from '../../../freight/loads/model.ts'
import { freightLines, townOf } from '../../../freight/loads/words.ts'
import { moneyText } from '../../../freight/papers/words.ts'
import type { Context } from '../../../platform/context.ts'
import { timeText } from '../../../platform/core/places/time-words.ts'
import { addressesIn, isAddress, mostAddresses } from '../../../platform/mail/addresses.ts'
import { sendMail } from '../../../platform/mail/send.ts'
import { offeredLinkSeconds } from '../durations.ts'
import { createLink } from '../links/actions.ts'
import { findAnswerNotice, listTenderNotices, type NoticeAudience, type TenderNotice } from './store.ts'

/** Where carriers find the portal; null where nobody is written to, as while example data is made. */
export type PortalUrl = string | null

/** `ended`: an offer is over; `withdrawn`: a load that was the carrier's is not any more. */
export type News = 'offered' | 'agreed' | 'ended' | 'withdrawn'

/** Writes to the carriers of these tenders, one mail each, in the transaction in which it happens. */
export async function tellOfTenders(
  ctx: Context,
  portal: PortalUrl,
  tenders: readonly { id: string; news: News }[],
): Promise<void> {
  if (portal === null || tenders.length === 0) return
  const notices = await listTenderNotices(
    ctx,
    tenders.map(({ id }) => id),
  )
  const units = await minorUnits(ctx)
  for (const notice of notices) {
    const news = tenders.find(({ id }) => id === notice.id)?.news as News
    const amount = notice.agreed_rate ?? notice.rate
    const rate =
      amount === null ? null : moneyText(amount, notice.currency_id, units.get(notice.currency_id ?? '') ?? 2)
    await write(
      ctx,
      notice,
      { type: 'tender', id: notice.id },
      wordsOf(notice, news, rate),
      await wayToTender(ctx, portal, notice, news),
    )
  }
}

/**
 * A carrier whose people cannot sign in answers an offer by a link to this one load, which is in its mail and nowhere else. What is written later leads back to
 * that mail.
 */
async function wayToTender(ctx: Context, portal: string, notice: TenderNotice, news: News): Promise<Way> {
  if (peopleOf(notice).length > 0) return { lines: [portalLine(portal)] }
  if (addressesIn(notice.email).length === 0) return { lines: [] }
  if (news !== 'offered')
    return { lines: news === 'agreed' ? ['Open the load by the link in the mail in which it was offered.'] : [] }
  const { manifest_id, partner_carrier_id } = notice
  const { secret } = await createLink(ctx, { manifest_id, partner_carrier_id, expires_in: offeredLinkSeconds })
  return {
    lines: [
      `See it and answer: ${portal}/link#${secret}`,
      'Whoever has this link can answer for you, so pass it on with care.',
    ],
    hasSecret: true,
  }
}

/** Writes to a carrier that its question about a bill was answered. */
export async function tellOfAnswer(
  ctx: Context,
  portal: PortalUrl,
  { id, bill_id, partner_carrier_id, text }: { id: string; bill_id: string; partner_carrier_id: string; text: string },
): Promise<void> {
  const notice = portal === null ? undefined : await findAnswerNotice(ctx, bill_id, partner_carrier_id)
  if (!notice) return
  const bill = ['bill', notice.number].filter(Boolean).join(' ')
  const words = {
    subject: `Answer about ${bill}`,
    lines: [`${notice.organization} has answered your question about ${bill}:`, '', text],
  }
  const ask = peopleOf(notice).length > 0 ? [] : ['If you have no account there, ask us for an invitation or a link.']
  await write(ctx, notice, { type: 'bill_question', id }, words, {
    lines: [portalLine(`${portal}/bills/${bill_id}`), ...ask],
  })
}

type Words = { subject: string; lines: readonly string[] }
/** How to get to what a mail is about. */
type Way = { lines: readonly string[]; hasSecret?: boolean }

function portalLine(url: string): string {
  return `The partner portal: ${url}`
}

const subjects: Record<News, string> = {
  offered: 'Load offered',
  agreed: 'Your rate is accepted',
  ended: 'Offer cancelled',
  withdrawn: 'Load cancelled',
}

const sentences: Record<News, (organization: string) => string> = {
  offered: (organization) => `${organization} offers you a load.`,
  agreed: (organization) => `${organization} accepts your rate: the load is yours.`,
  ended: (organization) => `${organization} does not offer you this load any more. There is nothing left to answer.`,
  withdrawn: (organization) => `${organization} has taken this load back: it is not yours any more.`,
}

function wordsOf(
  { full_id, organization, load, message, expires_at, time_zone }: TenderNotice,
  news: News,
  rate: string | null,
): Words {
  const freight = load && freightOf(load)
  const lane = freight ? [townOf(freight.start), townOf(freight.end)].filter(Boolean).join(' to ') : ''
  const isOffered = news === 'offered'
  return {
    subject: `${subjects[news]}: ${lane || full_id}`,
    lines: [
      sentences[news](organization),
      '',
      `Load: ${[full_id, lane].filter(Boolean).join(', ')}`,
      ...(freight && (isOffered || news === 'agreed') ? freightLines(freight) : []),
      ...(rate ? [`Rate: ${rate}`] : isOffered ? ['Rate: say what you ask for'] : []),
      ...(isOffered ? [`Answer until: ${timeText(expires_at, time_zone)}`] : []),
      ...(isOffered && message ? ['', message] : []),
    ],
  }
}

/** The addresses of those who can sign in. */
function peopleOf({ people }: NoticeAudience): string[] {
  return people.filter(isAddress).slice(0, mostAddresses)
}

async function write(
  ctx: Context,
  heard: NoticeAudience,
  record: { type: string; id: string },
  { subject, lines }: Words,
  way: Way,
): Promise<void> {
  const people = peopleOf(heard)
  const to = people.length > 0 ? people : addressesIn(heard.email)
  if (to.length === 0) return
  const text = [...lines, '', ...way.lines.flatMap((line) => [line, '']), heard.organization, ''].join('\n')
  await sendMail(ctx, {
    kind: 'notice',
    scope: 'partner_portal',
    to,
    reply_to: heard.reply_to,
    subject,
    text,
    record,
    ...(way.hasSecret && { hasSecret: true }),
  })
}
