// Tests have both languages from the start.
import { languages, loadAll } from './messages'

await Promise.all(languages.map(loadAll))
