// Tests have both languages from the start.
import { languages, load } from './messages'

await Promise.all(languages.map(load))
