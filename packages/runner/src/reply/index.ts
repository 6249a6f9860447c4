export { describeReason } from '../failures/model-failure.ts';
export { fromLmStudio, LmStudioClient, type LmStudioClientOptions } from './lm-studio-client.ts';
export { ModelError, type ModelErrorCode, type ReplyTime } from './model-error.ts';
export { findUnreachable, type ModelServerOptions } from './model-server.ts';
export {
  type AnswerShape,
  fromLanguageModel,
  type LanguageModelOptions,
  type Reply,
  type ReplyModel,
  type ReplyOptions,
  type ReplyRequest,
} from './reply-model.ts';
