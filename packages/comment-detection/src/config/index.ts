export {
  type CommentDetectionConfig,
  commentDetectionConfigSchema,
  toCommentDetectionOptions,
} from '../config-schema.ts';
