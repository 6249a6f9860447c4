export {
  closeCodeBlock,
  composeOwnComment,
  type FitCommentBodyOptions,
  findOwnComment,
  fitCommentBody,
  formatCommentMarker,
  isSameBody,
  parseCommentMarker,
  sortOwnComments,
} from './own-comment.ts';
