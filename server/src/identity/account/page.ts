import { type Html, html, note, type Page } from '../../platform/pages/layout.ts'
import { passwordHint, shortestPassword } from '../passwords/password-rules.ts'
import type { Membership } from '../people/people.ts'
import type { AllowedApplication, SignedInSession } from './store.ts'

export type Account = {
  email: string
  memberships: readonly Membership[]
  sessions: readonly SignedInSession[]
  applications: readonly AllowedApplication[]
  csrf: string
  /** Where the console is, which may be another host than this. */
  consoleUrl: string
  problem?: string
  done?: string
}

export function accountPage({
  email,
  memberships,
  sessions,
  applications,
  csrf,
  consoleUrl,
  problem,
  done,
}: Account): Page {
  const token = html`<input type="hidden" name="csrf" value="${csrf}">`
  const name = memberships[0]?.name
  return {
    title: 'Your account',
    status: problem ? 400 : 200,
    body: html`${problem && note('bad', problem)}${done && note('good', done)}
<section class="card wide">
<div class="who"><div class="face" aria-hidden="true">${[...(name ?? email)][0]}</div>
<div class="name"><h1>${name ?? 'Your account'}</h1><p class="soft">${email}</p></div>
<a class="button plain slim" href="${consoleUrl}">Console</a><form method="post" action="/sign-out">${token}<button class="plain slim">Sign out</button></form></div>
${
  memberships.length === 0
    ? html`<p class="soft">You are not an active user of any organization.</p>`
    : html`<ul class="tags" aria-label="Your organizations">${memberships.map(({ organization, role }) => html`<li>${organization} <span class="soft">${role}</span></li>`)}</ul>`
}
</section>
<section class="card"><h2>Where you are signed in</h2>
<p class="soft small">If you do not recognize a browser, sign it out and change your password.</p>
<ul class="rows">${sessions.map((session) => sessionRow(session, token))}</ul></section>
<section class="card"><h2>Applications with access</h2>
<p class="soft small">These applications can act on your behalf until you withdraw their access. Signing out of the browser in which you allowed one ends its access too, unless you allowed it to act while you are away.</p>
${
  applications.length === 0
    ? html`<p class="empty">None yet.</p>`
    : html`<ul class="rows">${applications.map((application) => applicationRow(application, token))}</ul>`
}</section>
<section class="card"><h2>Change your password</h2>
<p class="soft small">You stay signed in here. All other browsers are signed out, and applications lose their access until you allow them again.</p>
<form method="post" action="/account/password">${token}<input type="email" autocomplete="username" value="${email}" readonly hidden>
<div class="pair"><div><label for="current">Current password</label><input id="current" name="current" type="password" autocomplete="current-password" required maxlength="1024"></div>
<div><label for="next">New password</label><input id="next" name="next" type="password" autocomplete="new-password" aria-describedby="next-hint" required minlength="${shortestPassword}" maxlength="1024">
<p class="hint" id="next-hint">${passwordHint}</p></div></div>
<button>Change password</button></form></section>`,
  }
}

function sessionRow({ id, user_agent, address, created_at, current }: SignedInSession, token: Html): Html {
  const browser = browserOf(user_agent)
  return html`<li><div><strong>${browser}</strong>${current && html` <span class="here">This browser</span>`}<br><span class="soft small">${address ?? 'Unknown address'}, since ${timeOf(created_at)}</span></div>
${!current && html`<form method="post" action="/account/sessions/end">${token}<input type="hidden" name="session" value="${id}"><button class="plain slim danger" aria-label="Sign out ${browser}">Sign out</button></form>`}</li>`
}

function applicationRow({ application, access }: AllowedApplication, token: Html): Html {
  return html`<li><div><strong>${application}</strong>
<ul class="inner">${access.map(
    ({
      grant,
      organization,
      since,
      latest,
    }) => html`<li><span class="soft small">in ${organization}, since ${timeOf(since)}${
      latest.getTime() !== since.getTime() && html`, last allowed ${timeOf(latest)}`
    }</span>
<form method="post" action="/account/grants/revoke">${token}<input type="hidden" name="grant" value="${grant}"><button class="plain slim danger" aria-label="Withdraw access of ${application} in ${organization}">Withdraw access</button></form></li>`,
  )}</ul></div></li>`
}

const systems = {
  Windows: 'Windows',
  Android: 'Android',
  iPhone: 'iPhone',
  iPad: 'iPad',
  'Mac OS': 'macOS',
  CrOS: 'ChromeOS',
  Linux: 'Linux',
}

function browserOf(userAgent: string | null): string {
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) => userAgent?.includes(`${name}/`))
  const [, system] = Object.entries(systems).find(([mark]) => userAgent?.includes(mark)) ?? []
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser ?? ''] ?? browser ?? 'Unknown browser'
  return system ? `${name} on ${system}` : name
}

function timeOf(time: Date): Html {
  // Made here and not as the file is loaded: the first one brings the data of calendars into memory.
  const written = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return html`<time datetime="${time.toISOString()}">${written.format(time)} UTC</time>`
}
