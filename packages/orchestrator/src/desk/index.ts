export { commentRequestSchema, readCommentDescription } from '../conversation/read-comment-tool.ts';
export {
  type AnswerRequest,
  type ConversationRequest,
  createThreadDesk,
  type DeskAnswer,
  maxAnswerTokens,
  type ThreadDesk,
  type ThreadDeskOptions,
} from './thread-desk.ts';
