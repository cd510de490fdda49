import { formRoute } from '@/app/auth-pages/forms'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = formRoute('/login/sso/submit')
