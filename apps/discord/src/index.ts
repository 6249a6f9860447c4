export { startBot } from './start-bot.ts';
