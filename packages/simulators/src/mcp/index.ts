export { startMcpHttpServer } from './http-server.ts';
export { createNotesMcpServer } from './notes-server.ts';
export { createUnrulyMcpServer } from './unruly-server.ts';
