import DocsLayout from '../docs/docs-layout'

export default DocsLayout
