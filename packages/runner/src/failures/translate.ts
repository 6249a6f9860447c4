/** Meanings of errors in Chinese and Japanese, in the words by which errors are sorted. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [
    /超长|(?:上下文|输入|提示词|prompt|token)[^。\n]{0,20}(?:超过|超出|过长|太长)|(?:コンテキスト|入力|プロンプト|トークン)[^。\n]{0,20}(?:超え|超過|長すぎ|大きすぎ)/i,
    'prompt is too long',
  ],
  [
    /(?:余额|额度|配额|点数)[^。\n]{0,10}(?:不足|用尽|用完|耗尽)|欠费|(?:残高|クレジット)[^。\n]{0,10}(?:不足|ありません)|利用枠[^。\n]{0,10}使い切/,
    'insufficient balance',
  ],
  [
    /(?:令牌|密钥|api ?-?key|api ?キー|アクセストークン)[^。\n]{0,12}(?:无效|不正确|错误|过期|無効|正しく|期限切れ)|(?:无效|错误|過期)的? ?(?:令牌|密钥|api ?-?key)|身份验证失败|鉴权失败|未授权|認証[^。\n]{0,8}(?:失敗|エラー|でき)/i,
    'invalid api key',
  ],
  [
    /模型[^。\n]{0,30}(?:不存在|未找到|已下线|无权)|モデル[^。\n]{0,30}(?:見つかり|存在し|廃止)/,
    'model not found',
  ],
  [
    /加载中|正在加载|繁忙|过载|无可用渠道|稍后(?:重试|再试)|読み込み中|ロード中|混雑|過負荷|しばらくして|時間をおいて/,
    'server is busy',
  ],
  [
    /频率|并发|限流|请求(?:数|次数)?(?:过多|过高|太多|超限)|レート制限|リクエスト[^。\n]{0,8}(?:多すぎ|上限)/,
    'rate limit',
  ],
  [/敏感|不安全|违规|不適切|コンテンツポリシー/, 'content policy'],
  [
    /不支持[^。\n]{0,10}(?:工具|函数)|(?:ツール|関数)[^。\n]{0,16}(?:サポートされて|対応して)い(?:ない|ません)/,
    'does not support tools',
  ],
];

/** A text with the English words for what it says in another language behind it. */
export function translate(text: string): string {
  if (!/[\u3040-\u9fff]/.test(text)) return text;
  return [
    text,
    ...meanings.flatMap(([expression, meaning]) => (expression.test(text) ? [meaning] : [])),
  ].join('\n');
}
