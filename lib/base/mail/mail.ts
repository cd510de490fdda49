/** A mail, ready to be sent; the text is what is meant, the html the same with a button. */
export type Mail = { subject: string; text: string; html: string }
