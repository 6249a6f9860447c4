export type { ChatTurn, ThreadMessage, ThreadReader } from './ports.ts';
