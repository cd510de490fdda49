'use client'
import { Menu } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { buttonClass } from '../ui/button'
import { Dialog, DialogTrigger, SheetContent } from '../ui/dialog'

/** The rail on phones: a button that slides it in. It closes when the page has changed. */
export function RailSheet({ children }: { children: ReactNode }) {
  const path = usePathname()
  // Remembering where it was opened closes it on navigation without an effect.
  const [openOn, setOpenOn] = useState<string | null>(null)
  return (
    <Dialog open={openOn === path} onOpenChange={(open) => setOpenOn(open ? path : null)}>
      <DialogTrigger aria-label="Open navigation" className={buttonClass({ variant: 'quiet', size: 'icon' })}>
        <Menu aria-hidden />
      </DialogTrigger>
      <SheetContent title="Navigation">{children}</SheetContent>
    </Dialog>
  )
}
