type ProblemTexts = Readonly<Record<string, readonly [string, string]>>;

/** Heading of each page that reports a problem, and what to do. */
export const problemTexts: Readonly<Record<'en' | 'ja', ProblemTexts>> = {
  en: {
    badRequest: ['Invalid request', 'Go back, reload the page, and try again.'],
    forbidden: [
      'Form rejected',
      'The form has expired or was sent from another site. Reload the page and try again. Over plain HTTP, forms work only on the machine that runs this service. Elsewhere, use HTTPS.',
    ],
    proxyRefused: [
      'Login rejected',
      'The request names a user, but does not prove that it comes from the proxy. The operator has to check the secret header and the addresses of the proxy.',
    ],
    unauthorized: [
      'Please log in',
      'Your session has expired, or you have not logged in. Log in and try again.',
    ],
    notFound: ['Not found', "This run, task, or page doesn't exist, or its records were deleted."],
    method: [
      'Method not allowed',
      "This address doesn't accept this kind of request. Go back to the board and start from there.",
    ],
    conflict: [
      'Not possible right now',
      'The state may have changed since you loaded the page. Reload it and check before you try again.',
    ],
    tooLarge: ['Request too large', 'The form is larger than this server accepts.'],
    mediaType: ['Unsupported content type', 'Submit the form from a browser.'],
    misdirected: ['Unknown host name', 'Open the page under a host name that is configured for it.'],
    failed: [
      'Something went wrong',
      'The request failed on the server. Its log has the details. Try again later.',
    ],
    auditFailed: [
      'Nothing was changed',
      'The audit log could not be written, so the action did not run. Try again later.',
    ],
  },
  ja: {
    badRequest: ['リクエストが正しくありません', '前の画面に戻り、再読み込みしてもう一度お試しください。'],
    forbidden: [
      'フォームを受け付けられません',
      'フォームの期限が切れているか、別のサイトから送信されました。再読み込みしてもう一度お試しください。暗号化されていない HTTP では、フォームはこのサービスが動いているマシンでのみ使えます。ほかでは HTTPS を使ってください。',
    ],
    proxyRefused: [
      'ログインできません',
      '利用者名のヘッダーがありますが、プロキシからのリクエストであることを確認できません。運用者がプロキシの秘密のヘッダーとアドレスを確認する必要があります。',
    ],
    unauthorized: [
      'ログインしてください',
      'ログインしていないか、ログインの期限が切れています。ログインしてもう一度お試しください。',
    ],
    notFound: ['見つかりません', '実行、タスク、またはページが存在しないか、記録が削除されました。'],
    method: [
      '許可されていないメソッドです',
      'このアドレスではこの種類のリクエストを受け付けません。ボードに戻って操作してください。',
    ],
    conflict: [
      '今は実行できません',
      'ページを開いた後に状態が変わった可能性があります。再読み込みして確認してから、もう一度お試しください。',
    ],
    tooLarge: ['リクエストが大きすぎます', 'このサーバーが受け付けられる大きさを超えたフォームです。'],
    mediaType: ['対応していない Content-Type です', 'ブラウザーからフォームを送信してください。'],
    misdirected: ['不明なホスト名です', '設定されているホスト名でページを開いてください。'],
    failed: [
      '問題が発生しました',
      'サーバーでリクエストの処理に失敗しました。詳細はログにあります。後でもう一度お試しください。',
    ],
    auditFailed: [
      '何も変更していません',
      '監査ログに書き込めなかったため、操作を実行しませんでした。後でもう一度お試しください。',
    ],
  },
};
