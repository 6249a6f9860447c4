export {
  type Acknowledgement,
  type CommentMailbox,
  type CommentMailboxOptions,
  createCommentMailbox,
  type MailboxContents,
  type MailboxItem,
  type TakeOptions,
} from './comment-mailbox.ts';
export {
  createFileJournal,
  createMemoryJournal,
  type JournalPart,
  type MailboxJournal,
} from './mailbox-journal.ts';
