import { type Scope, scopes } from '../../platform/access/scopes.ts'
import { type Html, html, note, notice, type Page, raw, truck, warning } from '../../platform/pages/layout.ts'
import type { Membership } from '../people/people.ts'

export function signInPage({
  action,
  application,
  email = '',
  problem,
  retryAfter,
  returnTo,
  mails,
}: {
  action: string
  /** Whether the installation sends mails, so that a new password can be had by one. */
  mails: boolean
  application?: string
  email?: string
  problem?: string
  retryAfter?: string
  /** Where the application is: it may get people back from here without asking them anything more. */
  returnTo?: string
}): Page {
  const wrong = problem && !retryAfter && raw('aria-invalid="true" aria-describedby="note"')
  return {
    title: 'Sign in',
    status: retryAfter ? 429 : problem ? 400 : 200,
    ...(retryAfter && { headers: { 'retry-after': retryAfter } }),
    ...(returnTo && { leadsTo: returnTo }),
    body: html`<section class="card">
<h1>Sign in</h1>
<p class="lead">${application ? html`to continue to <strong>${application}</strong>` : 'to your Lading account'}</p>
${problem && note('bad', retryAfter ? `Too many failed attempts to sign in. Try again in ${inWords(Number(retryAfter))}.` : problem)}
<form method="post" action="${action}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" value="${email}" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="254" ${wrong} ${email === '' && raw('autofocus')}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024" ${wrong} ${email !== '' && raw('autofocus')}>
<button class="full">Sign in</button>
</form>
<p class="foot">${mails ? html`<a href="/forgot-password">Forgot your password?</a> No account? Ask an admin of your organization.` : 'No account, or forgot your password? Ask an admin of your organization.'}</p>
</section>`,
  }
}

function inWords(seconds: number): string {
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

export type Consent = {
  action: string
  application: string
  /** The organization that the application belongs to, and whether the person is a user of it. */
  owner: { name: string; own: boolean }
  email: string
  asked: readonly string[]
  /** The application may read, and change nothing. */
  onlyReads: boolean
  memberships: readonly Membership[]
  returnTo: string
  problem?: string
}

export function consentPage({
  action,
  application,
  owner,
  email,
  asked,
  onlyReads,
  memberships,
  returnTo,
  problem,
}: Consent): Page {
  const wanted = asked.filter((scope): scope is Scope => scope in scopes)
  const many = wanted.length > 7
  const [only, ...others] = memberships
  return {
    title: 'Allow access',
    status: problem ? 400 : 200,
    leadsTo: returnTo,
    body: html`<section class="card ${many && 'broad'}">
<div class="parties" aria-hidden="true"><span>${[...application][0]?.toUpperCase()}</span><i></i><span>${truck}</span></div>
<h1 ${application.length > 60 && raw('class="long"')}>${application} wants access</h1>
<p class="lead">${others.length === 0 ? html`to <strong>${only?.organization}</strong>` : 'to one of your organizations'}. You are signed in as <strong>${email}</strong>. <a class="whole" href="/oauth2/logout">Not you?</a></p>
${problem && note('bad', problem)}
${
  owner.own
    ? html`<p>The application belongs to <strong>${owner.name}</strong>.</p>`
    : warning(
        html`The application belongs to <strong>${owner.name}</strong>, an organization that you are not a user of. Allow access only if you know it and expected this page.`,
      )
}
<h2 class="ask" id="asked">This application wants to do the following on your behalf:</h2>
<ul class="scopes ${many && 'many'}" aria-labelledby="asked">
<li>See your name, e-mail address and role</li>
${wanted.map((scope) => html`<li>${scopes[scope]}</li>`)}
</ul>
${onlyReads && html`<p>It can only read this, and change nothing.</p>`}
<form method="post" action="${action}">
${others.length === 0 ? html`<input type="hidden" name="organization" value="${only?.org_id}">` : organizationChoice(memberships)}
<div class="row">
<button class="plain" name="decision" value="deny" formnovalidate>Deny</button>
<button name="decision" value="allow">Allow</button>
</div>
</form>
<p class="foot">After your choice you return to <strong>${returnTo}</strong>. You can withdraw access at any time in <a href="/account">your account</a>.</p>
</section>`,
  }
}

export function organizationChoice(memberships: readonly Membership[], chosen?: string): Html {
  return html`<fieldset><legend>Organization</legend>
${memberships.map(
  ({ org_id, organization, role }) =>
    html`<label class="choice"><input type="radio" name="organization" value="${org_id}" required ${org_id === chosen && raw('checked')}><span>${organization} <small>${role}</small></span></label>`,
)}
</fieldset>`
}

export function errorPage(
  status: number,
  { error, error_description }: { error: string; error_description?: string | undefined },
): Page {
  if (error_description === 'authorization request has expired') return expiredPage
  const [title, words] = problems[error] ?? [
    'Could not sign in',
    'The link that you followed is not valid. Go back to the application and try again.',
  ]
  return {
    title,
    status,
    body: notice(
      title,
      html`<p>${words}</p>
<p class="technical">For the developers of the application: <code>${error}</code>${error_description && html`, ${error_description}`}</p>`,
      'bad',
    ),
  }
}

const problems: Record<string, [string, string]> = {
  access_denied: [
    'No access',
    'You are not an active user of any organization. Ask an admin of your organization for access.',
  ],
  invalid_client: ['Unknown application', 'The link that you followed names an application that does not exist.'],
  invalid_redirect_uri: [
    'Wrong return address',
    'The application wants to send you to an address that is not registered for it, so the sign-in was stopped.',
  ],
  server_error: ['Server error', 'An error occurred on the server. Go back to the application and try again.'],
}

export const expiredPage: Page = {
  title: 'This sign-in has expired',
  status: 400,
  body: notice(
    'This sign-in has expired',
    html`<p>Go back to the application and start again.</p><p class="foot">If this happens again, check that your browser allows cookies for this site.</p>`,
    'bad',
  ),
}

export const foreignFormPage: Page = {
  title: 'Form not accepted',
  status: 403,
  body: notice(
    'Form not accepted',
    html`<p>The form was sent from another site or from a page that is out of date. Nothing was changed.</p><p><a href="/account">Go to your account</a></p>`,
    'bad',
  ),
}

/** Staying is a link and not a second answer to the library's form, which would end at "signed out" whatever the answer. */
export function signOutPage(form: string, returnTo: string): Page {
  return {
    title: 'Sign out',
    leadsTo: new URL(returnTo).origin,
    body: notice(
      'Sign out of Lading?',
      html`<p class="lead">To continue later, you have to sign in again in this browser, and allow the applications again that you allowed in it.</p>${raw(form)}
<div class="row"><a class="button plain" href="/account">Stay signed in</a><button form="op.logoutForm" name="logout" value="yes">Sign out</button></div>`,
    ),
  }
}

export function signedOutPage(): Page {
  return {
    title: 'Signed out',
    body: notice(
      'You are signed out',
      html`<p class="lead">You can close this page.</p><a class="button plain full" href="/sign-in">Sign in again</a>`,
      'good',
    ),
  }
}
