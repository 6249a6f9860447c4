import type { VendorRefusal } from './vendor-refusal.ts';

const say = (message: string, status = 400, kind: VendorRefusal['kind'] = 'unclear'): VendorRefusal => ({
  vendor: 'any',
  status,
  body: { error: { message } },
  kind,
});

/** Errors in Chinese and Japanese, errors within other frames, and wordings that no vendor above has. */
export const otherLanguagesAndFrames: readonly VendorRefusal[] = [
  say('Prompt 超长', 400, 'context-too-long'),
  say('输入长度超过模型最大上下文长度限制', 400, 'context-too-long'),
  say('入力が長すぎます。コンテキスト長 8192 トークンを超えています。', 400, 'context-too-long'),
  say('Total tokens of image and text exceed max message tokens: 250000 > 131072', 400, 'context-too-long'),
  say('账户余额不足，请充值', 400, 'no-quota'),
  say('您的账户已欠费，请充值后重试。', 429, 'no-quota'),
  say('残高が不足しています', 400, 'no-quota'),
  say('Budget has been exceeded! Current cost: 0.5, Max budget: 0.4', 400, 'no-quota'),
  say('Organization has been restricted. Please reach out to support.', 400, 'no-quota'),
  say('Please enable billing on your project.', 400, 'no-quota'),
  say('无效的令牌 (request id: 2025)', 400, 'unauthorized'),
  say('APIキーが無効です', 400, 'unauthorized'),
  say('Please pass a valid API key.', 400, 'unauthorized'),
  say('模型不存在，请检查模型代码。', 400, 'unknown-model'),
  say('モデルが見つかりません: x', 400, 'unknown-model'),
  say('The provided model identifier is invalid.', 400, 'unknown-model'),
  say("Invocation of model ID m with on-demand throughput isn't supported.", 400, 'unknown-model'),
  say('User location is not supported for the API use.', 400, 'unknown-model'),
  say('Unavailable model: x', 400, 'unknown-model'),
  say('模型正在加载中，请稍后重试', 400, 'not-ready'),
  say('モデルを読み込み中です。しばらくしてから再試行してください。', 400, 'not-ready'),
  say('Service is too busy. Please switch to another provider.', 400, 'not-ready'),
  say('EngineCore encountered an issue. See stack trace (above) for the root cause.', 400, 'not-ready'),
  say('您当前使用该API的并发数过高，请降低并发，或联系客服增加限额。', 429, 'rate-limited'),
  say('`tool calling` is not supported with this model', 400, 'no-tools'),
  say('m is not supported for function calling/tools', 422, 'no-tools'),
  say('系统检测到输入或生成内容可能包含不安全或敏感内容', 400, 'refused'),
  say('Content Exists Risk', 400, 'refused'),
  ...(
    [
      [1008, 'insufficient balance', 'no-quota'],
      [1002, 'rate limit', 'rate-limited'],
      [2013, 'invalid params, context window exceeds limit', 'context-too-long'],
      [1026, 'input new_sensitive', 'unclear'],
    ] as const
  ).map(
    ([code, text, kind]): VendorRefusal => ({
      vendor: 'MiniMax',
      status: 200,
      body: { base_resp: { status_code: code, status_msg: text }, choices: null },
      kind,
    }),
  ),
  {
    vendor: 'any',
    status: 200,
    body: { code: 500, msg: '404 NOT_FOUND', success: false },
    kind: 'server-error',
  },
  {
    vendor: 'any',
    status: 200,
    body: { object: 'error', message: 'model is busy', code: 50301 },
    kind: 'not-ready',
  },
];
