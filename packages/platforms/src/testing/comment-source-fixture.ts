import type { CommentSource } from '../ports.ts';
import type { ListingHand, PortFixture } from './contract-fixture.ts';

/** Fixture that the suite of `CommentSource` needs. */
export type CommentSourceFixture = PortFixture<
  CommentSource,
  'comment' | 'editComment' | 'deleteComment' | 'commentsOn' | 'addLabels' | 'passTime'
> & { readonly listing?: ListingHand | undefined };
