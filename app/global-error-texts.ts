import type { Language } from '@/lib/base/language/languages'

/**
 * The text of app/global-error.tsx in every language of the auth pages. That page runs in the browser, where
 * the catalogs are not available. A test compares the texts with the catalogs.
 */
export const globalErrorTexts: Record<
  Language,
  Record<'title' | 'why' | 'advice' | 'reference' | 'again', string>
> = {
  en: {
    title: 'This page couldn’t be shown',
    why: 'Something went wrong on our side. Your changes weren’t saved.',
    advice: 'Try again. If the problem persists, contact an instance admin and include this reference.',
    reference: 'Reference',
    again: 'Try again',
  },
  de: {
    title: 'Diese Seite konnte nicht angezeigt werden',
    why: 'Bei uns ist ein Fehler aufgetreten. Ihre Eingaben wurden nicht gespeichert.',
    advice:
      'Versuchen Sie es erneut. Wenn es wieder passiert, nennen Sie dem Betreiber des Dienstes diese Referenz.',
    reference: 'Referenz',
    again: 'Erneut versuchen',
  },
  es: {
    title: 'No se ha podido mostrar esta página',
    why: 'Se ha producido un error por nuestra parte. No se ha guardado nada de lo que has introducido.',
    advice: 'Inténtalo de nuevo. Si vuelve a ocurrir, indica esta referencia a quien administra el servicio.',
    reference: 'Referencia',
    again: 'Reintentar',
  },
  fr: {
    title: 'Impossible d’afficher cette page',
    why: 'Une erreur s’est produite de notre côté. Rien de ce que vous avez saisi n’a été enregistré.',
    advice: 'Réessayez. Si le problème persiste, communiquez cette référence à l’exploitant du service.',
    reference: 'Référence',
    again: 'Réessayer',
  },
  pt: {
    title: 'Não foi possível mostrar esta página',
    why: 'Ocorreu um erro do nosso lado. Nada do que você preencheu foi salvo.',
    advice: 'Tente novamente. Se continuar acontecendo, informe esta referência a quem opera o serviço.',
    reference: 'Referência',
    again: 'Tentar novamente',
  },
  ja: {
    title: 'このページを表示できませんでした',
    why: 'サービス側で問題が発生しました。入力内容は保存されていません。',
    advice: 'もう一度お試しください。解決しない場合は、この参照番号をサービスの運営者にお知らせください。',
    reference: '参照番号',
    again: '再試行',
  },
  'zh-Hans': {
    title: '无法显示此页面',
    why: '我们这边出了问题。你输入的内容未保存。',
    advice: '请重试。如果问题仍然存在，请将此参考编号提供给服务的运营者。',
    reference: '参考编号',
    again: '重试',
  },
  ar: {
    title: 'تعذّر عرض هذه الصفحة',
    why: 'حدث خطأ من جانبنا. لم يُحفظ أي شيء مما أدخلته.',
    advice: 'حاول مرة أخرى. إذا استمرت المشكلة، فأرسل هذا المرجع إلى الجهة المشغّلة للخدمة.',
    reference: 'المرجع',
    again: 'إعادة المحاولة',
  },
}
