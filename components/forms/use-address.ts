import { useEffect } from 'react'

/**
 * Replaces the URL and the title of a page that shows a new object. The new URL is the object's URL, so that
 * a reload or a bookmark opens the object.
 * @param href the object's URL; undefined until the object exists, and the page then stays unchanged
 * @param title replaces the first part of the page's title
 */
export function useAddress(href: string | undefined, title: string): void {
  useEffect(() => {
    if (href === undefined) return
    window.history.replaceState(null, '', href)
    document.title = document.title.replace(/^.*?(?= · )/, title)
  }, [href, title])
}
