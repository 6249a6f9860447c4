export {
  type Acknowledgement,
  type CommentMailbox,
  createCommentMailbox,
  type MailboxContents,
  type MailboxItem,
} from './comment-mailbox.ts';
export {
  createFileJournal,
  createMemoryJournal,
  type JournalPart,
  type MailboxJournal,
} from './mailbox-journal.ts';
export type { CommentMailboxOptions, TakeOptions } from './mailbox-options.ts';
