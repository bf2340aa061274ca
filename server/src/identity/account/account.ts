import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { Refusal } from '../../platform/core/refusal.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Page, sendPage } from '../../platform/pages/layout.ts'
import type { Settings } from '../../settings.ts'
import { browserKnownTo, rememberBrowser } from '../browsers/known-browsers.ts'
import { firstPasswordPage } from '../pages/first-password.ts'
import { acceptForms } from '../pages/forms.ts'
import { expiredPage, foreignFormPage, signedOutPage, signInPage } from '../pages/pages.ts'
import { sessionSeconds } from '../people/lifetimes.ts'
import { emailOf, membershipsOf, type Owner, ownerOf, signIn } from '../people/people.ts'
import { proofOf } from '../people/proofs.ts'
import { endSessions } from '../people/sessions.ts'
import { chooseOwnPassword, readTicket, ticketFor } from '../users/first-sign-in.ts'
import { changePassword, takeBack } from './actions.ts'
import { accountPage } from './page.ts'
import { findAllowedApplications, findSessions } from './store.ts'

type Form = Record<string, string | undefined>
type Session = InstanceType<Provider['Session']>
type SignedIn = { session: Session; id: string; csrf: string }

export type Parts = {
  provider: () => Provider
  settings: Settings
  database: Database
  cookieKey: string
  clock: () => Date
}

/** A person's own page: where they are signed in, whom they let in, their password. */
export async function account(app: FastifyInstance, parts: Parts): Promise<void> {
  const { provider, settings, database, cookieKey, clock } = parts
  acceptForms(app, settings)
  const schema = { hide: true }
  const mails = settings.mail.smtpUrl !== null

  app.get('/sign-in', { schema }, async (request, reply) => {
    return (await signedIn(request, reply))
      ? reply.redirect('/account', 303)
      : sendPage(reply, signInPage({ action: '/sign-in', mails }))
  })

  app.post('/sign-in', { schema }, async (request, reply) => {
    const { email = '', password = '' } = request.body as Form
    try {
      const source = { address: request.ip, at: clock(), knownTo: browserKnownTo(parts, request, reply) }
      const signedIn = await signIn(database, email, password, source)
      if (!signedIn)
        return sendPage(
          reply,
          signInPage({ action: '/sign-in', mails, email, problem: 'The e-mail address or the password is wrong.' }),
        )
      if ('person' in signedIn) return enter(request, reply, signedIn.person)
      const ticket = ticketFor(cookieKey, signedIn.firstPassword, clock())
      return sendPage(reply, firstPasswordPage({ ...signedIn.firstPassword, action: '/sign-in/password', ticket }))
    } catch (error) {
      if (!(error instanceof Refusal && error.kind === 'too_many')) throw error
      return sendPage(
        reply,
        signInPage({
          action: '/sign-in',
          mails,
          email,
          problem: error.message,
          retryAfter: error.headers['retry-after'] as string,
        }),
      )
    }
  })

  app.post('/sign-in/password', { schema }, async (request, reply) => {
    const { email = '', ticket = '', password = '' } = request.body as Form
    const firstPassword = await readTicket(database, cookieKey, { email, ticket }, clock())
    if (!firstPassword) return sendPage(reply, expiredPage)
    try {
      const owner = await chooseOwnPassword(database, firstPassword, password, clock())
      return owner ? enter(request, reply, owner) : sendPage(reply, expiredPage)
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
      return sendPage(
        reply,
        firstPasswordPage({ ...firstPassword, action: '/sign-in/password', ticket, problem: error }),
      )
    }
  })

  app.get('/account', { schema }, async (request, reply) => {
    const person = await signedIn(request, reply)
    return person ? show(reply, person) : reply.redirect('/sign-in', 303)
  })

  app.post('/account/password', { schema }, (request, reply) =>
    inPerson(request, reply, async (person, { current = '', next = '' }) => {
      try {
        const owner = await ownerOf(database, person.id)
        if (!owner) return reply.redirect('/sign-in', 303)
        rememberBrowser(
          parts,
          request,
          reply,
          await changePassword(database, owner, { current, next, session: person.session.uid, at: clock() }),
        )
        return show(reply, person, { done: 'Your password was changed.' })
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
        return show(
          reply,
          person,
          { problem: error.message },
          error.kind === 'too_many' ? { status: 429, headers: { ...error.headers } } : {},
        )
      }
    }),
  )

  app.post('/account/sessions/end', { schema }, (request, reply) =>
    inPerson(request, reply, async (person, { session = '' }) => {
      await endSessions(database, person.id, { id: session })
      return show(reply, person, { done: 'The other browser was signed out.' })
    }),
  )

  app.post('/account/grants/revoke', { schema }, (request, reply) =>
    inPerson(request, reply, async (person, { grant = '' }) => {
      await takeBack(database, person.id, grant)
      return show(reply, person, { done: 'The access of the application was withdrawn.' })
    }),
  )

  app.post('/sign-out', { schema }, (request, reply) =>
    inPerson(request, reply, async ({ session, id }) => {
      await endSessions(database, id, { id: session.uid })
      provider().createContext(request.raw, reply.raw).cookies.set(provider().cookieName('session'), null)
      return sendPage(reply, signedOutPage())
    }),
  )

  async function signedIn(request: FastifyRequest, reply: FastifyReply): Promise<SignedIn | null> {
    const session = await provider().Session.get(provider().createContext(request.raw, reply.raw) as never)
    if (!session.accountId) return null
    return {
      session,
      id: session.accountId,
      csrf: createHmac('sha256', cookieKey).update(`csrf ${session.uid}`).digest('base64url'),
    }
  }

  async function inPerson(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (person: SignedIn, form: Form) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const person = await signedIn(request, reply)
    if (!person) return reply.redirect('/sign-in', 303)
    const form = request.body as Form
    const [sent, right] = [Buffer.from(form.csrf ?? ''), Buffer.from(person.csrf)]
    if (sent.length !== right.length || !timingSafeEqual(sent, right)) return sendPage(reply, foreignFormPage)
    return work(person, form)
  }

  async function enter(request: FastifyRequest, reply: FastifyReply, owner: Owner): Promise<FastifyReply> {
    await beginSession(request, reply, owner)
    rememberBrowser(parts, request, reply, owner)
    return reply.redirect('/account', 303)
  }

  /** Under a new id, whatever the browser had before: an id that somebody put there must not become that of a person. */
  async function beginSession(request: FastifyRequest, reply: FastifyReply, owner: Owner): Promise<void> {
    const before = await signedIn(request, reply)
    if (before) await endSessions(database, before.id, { id: before.session.uid })
    const session = new (provider().Session)()
    session.loginAccount({ accountId: owner.id, proof: proofOf(owner) } as never)
    const seconds = sessionSeconds(settings)
    await session.save(seconds)
    const secure = settings.authUrl.startsWith('https:')
    const { cookies } = provider().createContext(request.raw, reply.raw)
    cookies.secure = secure
    cookies.set(provider().cookieName('session'), session.jti, {
      signed: true,
      httpOnly: true,
      sameSite: 'lax',
      secure,
      maxAge: seconds * 1000,
      overwrite: true,
    })
  }

  async function show(
    reply: FastifyReply,
    { id, session, csrf }: SignedIn,
    message: { done?: string; problem?: string } = {},
    over: Partial<Page> = {},
  ): Promise<FastifyReply> {
    const email = (await emailOf(database, id)) ?? ''
    const memberships = await membershipsOf(database, id)
    const sessions = await findSessions(database, id, session.jti)
    const applications = await findAllowedApplications(database, memberships)
    return sendPage(reply, {
      ...accountPage({
        email,
        memberships,
        sessions,
        applications,
        csrf,
        consoleUrl: `${settings.publicUrl}/home`,
        ...message,
      }),
      ...over,
    })
  }
}
