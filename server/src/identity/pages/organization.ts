import { html, note, type Page } from '../../platform/pages/layout.ts'
import type { Membership } from '../people/people.ts'
import { organizationChoice } from './pages.ts'

export type OrganizationChoice = {
  action: string
  email: string
  memberships: readonly Membership[]
  /** The organization that the console is in already, when someone came to choose another. */
  here: string | undefined
  returnTo: string
  problem?: string
}

/** The console needs no consent, but someone in several organizations says which one they mean. */
export function organizationPage({ action, email, memberships, here, returnTo, problem }: OrganizationChoice): Page {
  return {
    title: 'Choose an organization',
    status: problem ? 400 : 200,
    leadsTo: returnTo,
    body: html`<section class="card">
<h1>Choose an organization</h1>
<p class="lead">You are signed in as <strong>${email}</strong>. <a class="whole" href="/oauth2/logout">Not you?</a></p>
${problem && note('bad', problem)}
${memberships.length === 1 && html`<p>You are a user of this organization only.</p>`}
<form method="post" action="${action}">
${organizationChoice(memberships, memberships.length === 1 ? memberships[0]?.org_id : here)}
<div class="row">
${here && html`<button class="plain" name="decision" value="deny" formnovalidate>Cancel</button>`}
<button name="decision" value="allow">Continue</button>
</div>
</form>
</section>`,
  }
}
