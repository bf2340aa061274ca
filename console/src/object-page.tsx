import { bills } from './books/bills/kind.ts'
import { invoices } from './books/invoices/kind.ts'
import { MadeDocument } from './books/objects/made-document.tsx'
import { PartyDocuments } from './books/objects/party-documents.tsx'
import { ManifestStops } from './freight/movement/manifest-stops.tsx'
import { OrderStops } from './freight/movement/order-stops.tsx'
import { PositionsPanel } from './freight/movement/positions-panel.tsx'
import { ManifestPartners } from './integrations/partners/manifest-panel.tsx'
import { CarrierPayee } from './payables/payees/carrier-payee.tsx'
import type { PlatformObject } from './records/kinds/kind.ts'
import { DetailPage } from './records/single/detail-page.tsx'

/** The page of an object with what floors above the records know of it: this file sees all of them, and hands it down. */
export function ObjectPage() {
  return (
    <DetailPage
      before={(object) => <BeforeDetails object={object} />}
      after={(object) => <AfterDetails object={object} />}
    />
  )
}

function BeforeDetails({ object }: { object: PlatformObject }) {
  return (
    <>
      {object.objectKey === 'manifest' && <ManifestStops id={object.id} />}
      {object.objectKey === 'order' && <OrderStops stops={object.stops} />}
      <MadeDocument object={object} />
    </>
  )
}

function AfterDetails({ object }: { object: PlatformObject }) {
  const { objectKey, id } = object
  return (
    <>
      {objectKey === 'manifest' && <PositionsPanel id={id} />}
      {objectKey === 'manifest' && (
        <ManifestPartners id={id} carrier={textIn(object.partnerId)} currency={textIn(object.currency)} />
      )}
      {objectKey === 'partner' && <PartyDocuments kind={bills} party={object} />}
      {objectKey === 'partner' && <CarrierPayee carrier={id} />}
      {objectKey === 'customer' && <PartyDocuments kind={invoices} party={object} />}
    </>
  )
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
