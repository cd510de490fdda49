import { Alert } from '../ui/alert'

/** Above what the demo made: nothing here is anybody's work. */
export const DemoNote = () => (
  <Alert tone="info" title="This workspace is demo data">
    Its people, apps and history were made up. An operator removes all of it with{' '}
    <code className="font-mono text-[13px]">latchkey remove-demo</code>.
  </Alert>
)
