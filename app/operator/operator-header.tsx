import { PageHeader } from '@/components/frame/page-header'
import { SubNav } from '@/components/frame/sub-nav'
import { operatorArea } from '@/lib/edges/web/console/console-pages'

/** The top of the operator's pages and the way between them. */
export function OperatorHeader() {
  return (
    <>
      <PageHeader
        title={operatorArea.label}
        description="Everything this service holds, for those who run it."
      />
      <SubNav label={operatorArea.label} items={operatorArea.pages} inRail />
    </>
  )
}
