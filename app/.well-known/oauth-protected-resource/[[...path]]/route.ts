import { handleOAuth } from '@/lib/oauth/handler'
import { mount } from '@/lib/web/bridge'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = mount(handleOAuth)
