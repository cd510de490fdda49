import { useEffect } from 'react'

/**
 * Gives the page that shows a new object the object's address, so that a reload or a bookmark opens it.
 * @param href undefined until the object exists
 * @param title replaces the first part of the page's title
 */
export function useAddress(href: string | undefined, title: string): void {
  useEffect(() => {
    if (href === undefined) return
    window.history.replaceState(null, '', href)
    document.title = document.title.replace(/^.*?(?= · )/, title)
  }, [href, title])
}
