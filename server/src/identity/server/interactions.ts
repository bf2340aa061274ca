import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { consoleClientId, consoleScope } from '../../platform/access/console-client.ts'
import { organizationWithin } from '../../platform/access/organization-ids.ts'
import { Refusal } from '../../platform/core/refusal.ts'
import type { Database } from '../../platform/db/database.ts'
import { findOrganization } from '../../platform/organizations/actions.ts'
import { sendPage } from '../../platform/pages/layout.ts'
import type { Settings } from '../../settings.ts'
import { findClient } from '../applications/clients.ts'
import { shownInteraction } from '../browsers/cookies.ts'
import { browserKnownTo, rememberBrowser } from '../browsers/known-browsers.ts'
import { firstPasswordPage } from '../pages/first-password.ts'
import { acceptForms } from '../pages/forms.ts'
import { organizationPage } from '../pages/organization.ts'
import { type Consent, consentPage, errorPage, expiredPage, signInPage } from '../pages/pages.ts'
import { findGrant, revokeGrant } from '../people/grants.ts'
import { emailOf, type Membership, membershipsOf, type Owner, signIn } from '../people/people.ts'
import { type ProvenPerson, proofOf } from '../people/proofs.ts'
import { chooseOwnPassword, readTicket, ticketFor } from '../users/first-sign-in.ts'
import { allow } from './allow.ts'
import type { ProvedSession } from './proved-sessions.ts'

type Form = Record<string, string | undefined>
type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

export type Parts = {
  provider: () => Provider
  settings: Settings
  database: Database
  cookieKey: string
  clock: () => Date
}

/** Signing in and consenting on behalf of an application: the steps between `/oauth2/authorize` and the callback. */
export async function interactions(app: FastifyInstance, parts: Parts): Promise<void> {
  const { provider, settings, database, cookieKey, clock } = parts
  acceptForms(app, settings)
  const schema = { hide: true }
  const mails = settings.mail.smtpUrl !== null

  app.get('/interaction/:uid', { schema }, async (request, reply) => {
    const interaction = await current(request, reply)
    if (!interaction) return sendPage(reply, expiredPage)
    return interaction.prompt.name === 'login'
      ? sendPage(
          reply,
          signInPage({
            action: actionOf(interaction, 'login'),
            mails,
            application: await nameOf(interaction),
            returnTo: returnOf(interaction),
          }),
        )
      : showConsent(reply, interaction)
  })

  app.post('/interaction/:uid/login', { schema }, async (request, reply) => {
    const interaction = await current(request, reply)
    if (interaction?.prompt.name !== 'login') return sendPage(reply, expiredPage)
    const { email = '', password = '' } = request.body as Form
    const again = {
      action: actionOf(interaction, 'login'),
      mails,
      application: await nameOf(interaction),
      returnTo: returnOf(interaction),
      email,
    }
    try {
      const client = String(interaction.params.client_id)
      const source = { address: request.ip, at: clock(), knownTo: browserKnownTo(parts, request, reply), client }
      const signedIn = await signIn(database, email, password, source)
      if (!signedIn)
        return sendPage(reply, signInPage({ ...again, problem: 'The e-mail address or the password is wrong.' }))
      if ('person' in signedIn) return enterAs(request, reply, signedIn.person)
      const ticket = ticketFor(cookieKey, signedIn.firstPassword, clock())
      return sendPage(
        reply,
        firstPasswordPage({
          ...signedIn.firstPassword,
          action: actionOf(interaction, 'password'),
          ticket,
          returnTo: returnOf(interaction),
        }),
      )
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'too_many')
        return sendPage(
          reply,
          signInPage({ ...again, problem: error.message, retryAfter: error.headers['retry-after'] as string }),
        )
      throw error
    }
  })

  app.post('/interaction/:uid/password', { schema }, async (request, reply) => {
    const interaction = await current(request, reply)
    if (interaction?.prompt.name !== 'login') return sendPage(reply, expiredPage)
    const { email = '', ticket = '', password = '' } = request.body as Form
    const firstPassword = await readTicket(database, cookieKey, { email, ticket }, clock())
    if (!firstPassword) return sendPage(reply, expiredPage)
    try {
      const owner = await chooseOwnPassword(database, firstPassword, password, clock())
      return owner ? enterAs(request, reply, owner) : sendPage(reply, expiredPage)
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
      const again = { action: actionOf(interaction, 'password'), ticket, returnTo: returnOf(interaction) }
      return sendPage(reply, firstPasswordPage({ ...firstPassword, ...again, problem: error }))
    }
  })

  app.post('/interaction/:uid/consent', { schema }, async (request, reply) => {
    const interaction = await current(request, reply)
    if (interaction?.prompt.name !== 'consent' || !interaction.session) return sendPage(reply, expiredPage)
    const { decision, organization } = request.body as Form
    if (decision !== 'allow')
      return finish(request, reply, { error: 'access_denied', error_description: 'The user did not allow it.' })
    const by = await provedBy(interaction.session)
    if (!by) return sendPage(reply, expiredPage)
    const memberships = await membershipsOf(database, by.person)
    const chosen = memberships.find(({ org_id }) => org_id === organization)
    if (!chosen) return showConsent(reply, interaction, 'Choose one of your organizations.')
    const grantId = await enter(interaction, by, chosen, memberships.length > 1)
    return grantId === undefined ? sendPage(reply, expiredPage) : finish(request, reply, { consent: { grantId } })
  })

  /** Who is signed in, and still is: the page may have been open for long. */
  async function provedBy({ uid = '', accountId }: NonNullable<Interaction['session']>): Promise<ProvenPerson | null> {
    const session = (await provider().Session.findByUid(uid)) as ProvedSession | undefined
    return session?.accountId === accountId ? { person: accountId, proof: session.proof } : null
  }

  async function current(request: FastifyRequest, reply: FastifyReply): Promise<Interaction | null> {
    const { uid } = request.params as { uid: string }
    const interaction = await shownInteraction
      .run(uid, () => provider().interactionDetails(request.raw, reply.raw))
      .catch((error) => {
        if (error.name === 'SessionNotFound') return null
        throw error
      })
    return interaction?.uid === uid ? interaction : null
  }

  async function showConsent(reply: FastifyReply, interaction: Interaction, problem?: string): Promise<FastifyReply> {
    const { accountId } = interaction.session as { accountId: string }
    const email = await emailOf(database, accountId)
    const memberships = await membershipsOf(database, accountId)
    if (email === undefined || memberships.length === 0)
      return sendPage(
        reply,
        errorPage(403, {
          error: 'access_denied',
          error_description: 'You are not an active user of any organization.',
        }),
      )
    if (isConsole(interaction)) {
      const here = interaction.grantId ? (await findGrant(database, interaction.grantId))?.org_id : undefined
      const choice = {
        action: actionOf(interaction, 'consent'),
        email,
        memberships,
        here,
        returnTo: returnOf(interaction),
      }
      return sendPage(reply, organizationPage({ ...choice, ...(problem && { problem }) }))
    }
    return sendPage(
      reply,
      consentPage({
        action: actionOf(interaction, 'consent'),
        application: await nameOf(interaction),
        owner: await ownerOf(interaction, memberships),
        email,
        asked: askedScopes(interaction),
        onlyReads: await isReadOnly(interaction),
        memberships,
        returnTo: returnOf(interaction),
        ...(problem && { problem }),
      }),
    )
  }

  async function enterAs(request: FastifyRequest, reply: FastifyReply, owner: Owner): Promise<FastifyReply> {
    rememberBrowser(parts, request, reply, owner)
    return finish(request, reply, { login: { accountId: owner.id, proof: proofOf(owner) } })
  }

  async function enter(
    interaction: Interaction,
    by: ProvenPerson,
    { org_id: org, user_id: user }: Membership,
    chosen: boolean,
  ): Promise<string | undefined> {
    // In one browser the console is in one organization at a time; a page still open in the other is refused, and comes here.
    if (isConsole(interaction) && interaction.grantId) await revokeGrant(database, interaction.grantId)
    const scope = isConsole(interaction) ? consoleScope : askedScopes(interaction).join(' ')
    const client = String(interaction.params.client_id)
    const grant = await allow({ provider: provider(), database, settings }, { by, user, client, org, scope, chosen })
    return grant?.jti
  }

  async function finish(request: FastifyRequest, reply: FastifyReply, result: object): Promise<FastifyReply> {
    const { uid } = request.params as { uid: string }
    // Together with the step before: who was asked to sign in again and then consents has signed in, and is not asked once more.
    const returnTo = await shownInteraction.run(uid, () =>
      provider().interactionResult(request.raw, reply.raw, result as never),
    )
    return reply.redirect(returnTo, 303)
  }

  async function ownerOf({ params }: Interaction, memberships: readonly Membership[]): Promise<Consent['owner']> {
    const org = organizationWithin(String(params.client_id))
    const own = memberships.find(({ org_id }) => org_id === org)
    if (own) return { name: own.organization, own: true }
    return { name: (org && (await findOrganization(database, org))?.name) || 'An unknown organization', own: false }
  }

  async function nameOf(interaction: Interaction): Promise<string> {
    const client = await provider().Client.find(String(interaction.params.client_id))
    return client?.clientName ?? 'An application'
  }

  async function isReadOnly({ params }: Interaction): Promise<boolean> {
    return (await findClient({ database, settings }, String(params.client_id)))?.access === 'read'
  }
}

function isConsole({ params }: Interaction): boolean {
  return params.client_id === consoleClientId
}

function actionOf({ uid }: Interaction, step: string): string {
  return `/interaction/${uid}/${step}`
}

function askedScopes({ params }: Interaction): string[] {
  return String(params.scope ?? '')
    .split(' ')
    .filter(Boolean)
}

function returnOf({ params }: Interaction): string {
  return new URL(String(params.redirect_uri)).origin
}
