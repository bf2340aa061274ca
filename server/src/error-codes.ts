import { approvalCodes } from './books/approvals/error-codes.ts'
import { billCodes } from './books/bills/error-codes.ts'
import { consolidatedBillCodes } from './books/consolidated-bills/error-codes.ts'
import { creditCodes } from './books/credits/error-codes.ts'
import { documentCodes } from './books/documents/error-codes.ts'
import { invoiceCodes } from './books/invoices/error-codes.ts'
import { organizationSettingsCodes } from './books/organization/error-codes.ts'
import { payTermCodes } from './books/pay-terms/error-codes.ts'
import { paymentCodes } from './books/payments/error-codes.ts'
import { periodCodes } from './books/periods/error-codes.ts'
import { rateCodes } from './books/rates/error-codes.ts'
import { settlingCodes } from './books/settling/error-codes.ts'
import { taxRateCodes } from './books/tax-rates/error-codes.ts'
import { writeOffCodes } from './books/write-offs/error-codes.ts'
import { billingCodes } from './freight/billing/error-codes.ts'
import { bookingCodes } from './freight/bookings/error-codes.ts'
import { dispatchCodes } from './freight/dispatch/error-codes.ts'
import { emanifestCodes } from './freight/emanifests/error-codes.ts'
import { paperCodes } from './freight/papers/error-codes.ts'
import { positionCodes } from './freight/positions/error-codes.ts'
import { stopCodes } from './freight/stops/error-codes.ts'
import { applicationCodes } from './identity/applications/error-codes.ts'
import { passwordCodes } from './identity/passwords/error-codes.ts'
import { userCodes } from './identity/users/error-codes.ts'
import { accountingCodes } from './integrations/accounting/error-codes.ts'
import { partnerPortalCodes } from './integrations/partner-portal/error-codes.ts'
import { arrivalCodes } from './payables/arrivals/error-codes.ts'
import { auditPolicyCodes } from './payables/audit-policies/error-codes.ts'
import { bankDetailsCodes } from './payables/bank-details/error-codes.ts'
import { carrierInvoiceCodes } from './payables/carrier-invoices/error-codes.ts'
import { payeeCodes } from './payables/payees/error-codes.ts'
import { paymentRunCodes } from './payables/payment-runs/error-codes.ts'
import { accessCodes } from './platform/access/error-codes.ts'
import type { ErrorCodes } from './platform/core/error-code.ts'
import { coreCodes } from './platform/core/error-codes.ts'
import { dbCodes } from './platform/db/error-codes.ts'
import { drawingCodes } from './platform/drawing/error-codes.ts'
import { eventCodes } from './platform/events/error-codes.ts'
import { fileCodes } from './platform/files/error-codes.ts'
import { httpCodes } from './platform/http/error-codes.ts'
import { mailCodes } from './platform/mail/error-codes.ts'
import { organizationCodes } from './platform/organizations/error-codes.ts'
import { plainRecordCodes } from './platform/resource/error-codes.ts'
import { transferCodes } from './platform/transfers/error-codes.ts'
import { vaultCodes } from './platform/vault/error-codes.ts'
import { webhookCodes } from './platform/webhooks/error-codes.ts'
import { x12Codes } from './platform/x12/error-codes.ts'
import { boardCodes } from './records/boards/error-codes.ts'
import { bulkCodes } from './records/bulk/error-codes.ts'
import { definitionCodes } from './records/definitions/error-codes.ts'
import { exchangeCodes } from './records/exchange/error-codes.ts'
import { indexCodes } from './records/index/error-codes.ts'
import { modelCodes } from './records/model/error-codes.ts'
import { searchCodes } from './records/search/error-codes.ts'
import { singleCodes } from './records/single/error-codes.ts'
import { cliCodes } from './tools/cli/error-codes.ts'

/**
 * Every code that a refusal carries: `error_code` (in v2 `code`) of an answer, and `code` of its details. docs/errors.md, the enum in the OpenAPI
 * document and a test of the sources come from here.
 */
export const errorCodes: ErrorCodes = {
  ...accessCodes,
  ...coreCodes,
  ...dbCodes,
  ...drawingCodes,
  ...eventCodes,
  ...fileCodes,
  ...httpCodes,
  ...mailCodes,
  ...organizationCodes,
  ...plainRecordCodes,
  ...transferCodes,
  ...vaultCodes,
  ...webhookCodes,
  ...x12Codes,
  ...applicationCodes,
  ...passwordCodes,
  ...userCodes,
  ...boardCodes,
  ...bulkCodes,
  ...definitionCodes,
  ...exchangeCodes,
  ...indexCodes,
  ...modelCodes,
  ...searchCodes,
  ...singleCodes,
  ...approvalCodes,
  ...billCodes,
  ...consolidatedBillCodes,
  ...creditCodes,
  ...documentCodes,
  ...invoiceCodes,
  ...organizationSettingsCodes,
  ...payTermCodes,
  ...paymentCodes,
  ...periodCodes,
  ...rateCodes,
  ...settlingCodes,
  ...taxRateCodes,
  ...writeOffCodes,
  ...billingCodes,
  ...bookingCodes,
  ...dispatchCodes,
  ...emanifestCodes,
  ...paperCodes,
  ...positionCodes,
  ...stopCodes,
  ...arrivalCodes,
  ...auditPolicyCodes,
  ...bankDetailsCodes,
  ...carrierInvoiceCodes,
  ...payeeCodes,
  ...paymentRunCodes,
  ...accountingCodes,
  ...partnerPortalCodes,
  ...cliCodes,
}

export const errorCodeNames = Object.keys(errorCodes).sort()
