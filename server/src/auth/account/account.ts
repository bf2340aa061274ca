import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { Refusal } from '../../core/refusal.ts'
import type { Database } from '../../db/database.ts'
import type { Settings } from '../../settings.ts'
import { acceptForms } from '../pages/forms.ts'
import { type Page, sendPage } from '../pages/layout.ts'
import { foreignFormPage, signedOutPage, signInPage } from '../pages/pages.ts'
import { emailOf, membershipsOf, signIn } from '../people.ts'
import { visitor } from '../server/adapter.ts'
import { lifetimes } from '../server/lifetimes.ts'
import { changePassword, endSessions, takeBack } from './actions.ts'
import { accountPage } from './page.ts'
import { findAllowedApplications, findSessions } from './store.ts'

type Form = Record<string, string | undefined>
type Session = InstanceType<Provider['Session']>
type SignedIn = { session: Session; id: string; csrf: string }

export type Parts = { provider: () => Provider; settings: Settings; database: Database; cookieKey: string }

/** A person's own page: where they are signed in, whom they let in, their password. */
export async function account(app: FastifyInstance, { provider, settings, database, cookieKey }: Parts): Promise<void> {
  acceptForms(app, settings)
  const schema = { hide: true }

  app.get('/sign-in', { schema }, async (request, reply) => {
    return (await signedIn(request, reply)) ? reply.redirect('/account', 303) : sendPage(reply, signInPage({ action: '/sign-in' }))
  })

  app.post('/sign-in', { schema }, async (request, reply) => {
    const { email = '', password = '' } = request.body as Form
    try {
      const person = await signIn(database, { account: email, address: request.ip }, password)
      if (!person) return sendPage(reply, signInPage({ action: '/sign-in', email, problem: 'The e-mail address or the password is wrong.' }))
      await beginSession(request, reply, person.id)
      return reply.redirect('/account', 303)
    } catch (error) {
      if (!(error instanceof Refusal && error.kind === 'too_many')) throw error
      return sendPage(reply, signInPage({ action: '/sign-in', email, problem: error.message, retryAfter: error.headers['retry-after'] as string }))
    }
  })

  app.get('/account', { schema }, async (request, reply) => {
    const person = await signedIn(request, reply)
    return person ? show(reply, person) : reply.redirect('/sign-in', 303)
  })

  app.post('/account/password', { schema }, (request, reply) =>
    inPerson(request, reply, async (person, { current = '', next = '' }) => {
      try {
        await changePassword(database, person.id, { current, next, address: request.ip }, person.session.uid)
        return show(reply, person, { done: 'Your password was changed.' })
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
        return show(reply, person, { problem: error.message }, error.kind === 'too_many' ? { status: 429, headers: { ...error.headers } } : {})
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
    return { session, id: session.accountId, csrf: createHmac('sha256', cookieKey).update(`csrf ${session.uid}`).digest('base64url') }
  }

  async function inPerson(request: FastifyRequest, reply: FastifyReply, work: (person: SignedIn, form: Form) => Promise<FastifyReply>): Promise<FastifyReply> {
    const person = await signedIn(request, reply)
    if (!person) return reply.redirect('/sign-in', 303)
    const form = request.body as Form
    const [sent, right] = [Buffer.from(form.csrf ?? ''), Buffer.from(person.csrf)]
    if (sent.length !== right.length || !timingSafeEqual(sent, right)) return sendPage(reply, foreignFormPage)
    return work(person, form)
  }

  async function beginSession(request: FastifyRequest, reply: FastifyReply, accountId: string): Promise<void> {
    const session = new (provider().Session)()
    session.loginAccount({ accountId })
    await visitor.run({ userAgent: request.headers['user-agent'], address: request.ip }, () => session.save(lifetimes.session))
    const secure = settings.authUrl.startsWith('https:')
    const { cookies } = provider().createContext(request.raw, reply.raw)
    cookies.secure = secure
    cookies.set(provider().cookieName('session'), session.jti, {
      signed: true,
      httpOnly: true,
      sameSite: 'lax',
      secure,
      maxAge: lifetimes.session * 1000,
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
    const applications = await findAllowedApplications({ database, settings }, id, memberships)
    return sendPage(reply, {
      ...accountPage({ email, memberships, sessions, applications, csrf, consoleUrl: `${settings.publicUrl}/home`, ...message }),
      ...over,
    })
  }
}
