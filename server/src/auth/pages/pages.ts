import type { Membership } from '../people.ts'
import { identityScopes, type Scope, scopes } from '../scopes.ts'
import { type Html, html, type Page, raw } from './layout.ts'

export function signInPage({
  action,
  application,
  email = '',
  problem,
  retryAfter,
}: {
  action: string
  application?: string
  email?: string
  problem?: string
  retryAfter?: string
}): Page {
  return {
    title: 'Sign in',
    status: retryAfter ? 429 : problem ? 400 : 200,
    ...(retryAfter && { headers: { 'retry-after': retryAfter } }),
    body: html`<section class="card">
<h1>Sign in</h1>
<p class="soft">${application ? html`to continue to <strong>${application}</strong>` : 'to your Lading account'}</p>
${problem && html`<p class="note bad" role="alert">${problem}</p>`}
<form method="post" action="${action}">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" value="${email}" autocomplete="username" required maxlength="254" ${email === '' && raw('autofocus')}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024" ${email !== '' && raw('autofocus')}>
<button class="full">Sign in</button>
</form>
</section>`,
  }
}

export type Consent = {
  action: string
  application: string
  email: string
  asked: readonly string[]
  memberships: readonly Membership[]
  returnTo: string
  problem?: string
}

export function consentPage({ action, application, email, asked, memberships, returnTo, problem }: Consent): Page {
  const wanted = asked.filter((scope): scope is Scope => scope in scopes)
  const identity = asked.some((scope) => (identityScopes as readonly string[]).includes(scope) && scope !== 'offline_access')
  return {
    title: 'Allow access',
    status: problem ? 400 : 200,
    leadsTo: returnTo,
    body: html`<section class="card">
<h1>${application} wants access</h1>
<p class="soft">You are signed in as ${email}. If you allow it, <strong>${application}</strong> can do this in your name, until you take it back in your account:</p>
${problem && html`<p class="note bad" role="alert">${problem}</p>`}
<ul class="scopes">
${identity && html`<li>See your name and e-mail address</li>`}
${wanted.map((scope) => html`<li>${scopes[scope]}</li>`)}
</ul>
<form method="post" action="${action}">
${organizationChoice(memberships)}
<div class="row">
<button class="plain" name="decision" value="deny" formnovalidate>Deny</button>
<button name="decision" value="allow">Allow</button>
</div>
</form>
<p class="soft small">You will be sent to ${returnTo}.</p>
</section>`,
  }
}

function organizationChoice(memberships: readonly Membership[]): Html {
  const [only, ...others] = memberships
  if (only && others.length === 0) {
    return html`<input type="hidden" name="organization" value="${only.org_id}"><p>In the organization <strong>${only.organization}</strong>.</p>`
  }
  return html`<fieldset><legend>In which organization?</legend>
${memberships.map(({ org_id, organization }) => html`<label><input type="radio" name="organization" value="${org_id}" required> ${organization}</label>`)}
</fieldset>`
}

export function errorPage(status: number, { error, error_description }: { error: string; error_description?: string | undefined }): Page {
  const [title, words] = problems[error] ?? ['That did not work', error_description ?? 'Something about this request is wrong.']
  return {
    title,
    status,
    body: html`<section class="card"><h1>${title}</h1><p>${words}</p><p class="soft small">For whoever built the application: <code>${error}</code>${error_description && html` (${error_description})`}</p></section>`,
  }
}

const problems: Record<string, [string, string]> = {
  invalid_client: ['Unknown application', 'The link that brought you here names an application that does not exist here, or no longer does.'],
  invalid_redirect_uri: ['Wrong return address', 'The application asked to send you to an address that is not registered for it, so we stopped here.'],
  server_error: ['Something went wrong', 'It was our fault. Go back to the application and try again.'],
}

export const expiredPage: Page = {
  title: 'This sign-in has expired',
  status: 400,
  body: html`<section class="card"><h1>This sign-in has expired</h1><p>Go back to the application and start again.</p><p class="soft small">If this happens every time, allow cookies for this site.</p></section>`,
}

export const foreignFormPage: Page = {
  title: 'That came from somewhere else',
  status: 403,
  body: html`<section class="card"><h1>That came from somewhere else</h1><p>This form was sent from another site, so nothing was done.</p></section>`,
}

export function signOutPage(form: string): Page {
  return {
    title: 'Sign out',
    body: html`<section class="card"><h1>Sign out of Lading?</h1>${raw(form)}
<div class="row"><button class="plain" form="op.logoutForm">Stay signed in</button><button form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button></div></section>`,
  }
}

export function signedOutPage(): Page {
  return {
    title: 'Signed out',
    body: html`<section class="card"><h1>You are signed out</h1><p>You can close this page, or <a href="/sign-in">sign in again</a>.</p></section>`,
  }
}
