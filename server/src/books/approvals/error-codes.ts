import { type ErrorCodes, is } from '../../platform/core/error-code.ts'

export const approvalCodes: ErrorCodes = {
  already_decided: is(
    409,
    'The bill is approved, rejected or paid already, or the caller has decided about it.',
    'Have another person decide, where two are needed.',
  ),
  approval_not_needed: is(409, 'The bill needs no approval.', 'Pay it.'),
  cannot_approve: is(
    400,
    'The role, or the role of the user, does not allow to approve.',
    'Name somebody whose role allows it; docs/roles.md says which do.',
  ),
  not_an_approver: is(
    403,
    'The rules about the bill name other approvers.',
    'Have one of them approve it; `GET /bills/{billID}/approvals` names them.',
  ),
  not_approved: is(
    409,
    'The bill has to be approved before it is paid, and is not, as it is now.',
    'Have it approved.',
  ),
  own_entry: is(
    403,
    'The caller entered or changed the record, and the organization forbids to approve one’s own.',
    'Have somebody else approve it.',
  ),
  same_user: is(400, 'Approvals are delegated to the user who has them already.', 'Name another user.'),
  separate_payer: is(
    403,
    'The caller entered or approved the bill, and the organization has somebody else pay it.',
    'Have somebody else pay it.',
  ),
  too_few_approvers: is(
    400,
    'Fewer people are named than have to approve.',
    'Name more people, or ask for fewer approvals.',
  ),
  two_kinds_of_approvers: is(400, 'The approvers are named both by user and by role.', 'Send one of the two.'),
  unknown_user: is(400, 'There is no enabled user with this id in the organization.', 'Take the id from `GET /users`.'),
}
