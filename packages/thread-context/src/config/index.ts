export { commentHandlingConfigSchema, toConversationLimits } from '../comment-handling-config.ts';
