import { Console } from '@/app/console'

export default function NewWorkspaceLayout({ children }: { children: React.ReactNode }) {
  return <Console>{children}</Console>
}
