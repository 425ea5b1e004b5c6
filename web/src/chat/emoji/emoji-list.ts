/** An emoji, and the words that it is found by: English before the bar, German after it. */
const LINES = `
👍 thumbs up yes good agree|daumen hoch ja gut einverstanden
👎 thumbs down no bad|daumen runter nein schlecht
❤️ red heart love|rotes herz liebe
😂 laughing tears joy|lachen tränen freude
🎉 party celebrate hooray|feier party hurra
🙏 thanks please folded hands|danke bitte gefaltete hände
👀 eyes looking|augen schauen
✅ done check mark yes|erledigt haken ja
🔥 fire hot great|feuer heiß toll
🚀 rocket launch ship|rakete start
👏 clapping applause bravo|klatschen applaus bravo
💯 hundred points perfect|hundert punkte perfekt
😀 grinning happy|grinsen froh
😃 smiling happy open|lächeln froh
😄 smiling eyes happy|lächelnde augen froh
😁 beaming|strahlen
😅 sweat relief phew|schwitzen erleichtert puh
🤣 rolling laughing floor|kugeln lachen boden
🙂 slightly smiling|leicht lächeln
🙃 upside down|kopfüber verkehrt
😉 winking|zwinkern
😊 blushing pleased|erröten erfreut
😇 angel halo|engel heiligenschein
🥰 hearts in love|herzen verliebt
😍 heart eyes love|herzaugen liebe
😘 kiss|kuss
😋 yummy tasty|lecker
😜 tongue wink joking|zunge zwinkern scherz
🤪 crazy zany|verrückt
🤗 hugging|umarmung
🤔 thinking hmm|nachdenken hm
🤨 raised eyebrow doubt|augenbraue zweifel
😐 neutral|neutral
😶 speechless no mouth|sprachlos mund
🙄 rolling eyes|augen rollen
😏 smirking|verschmitzt
😮 surprised oh|überrascht oh
😯 hushed|verblüfft
😲 astonished|erstaunt
😳 flushed embarrassed|verlegen
🥺 pleading|flehen
😢 crying sad|weinen traurig
😭 sobbing sad|heulen traurig
😱 screaming fear|schreien angst
😤 steam angry|dampf ärger
😠 angry|wütend
🤯 mind blown exploding head|umwerfend explodierender kopf
😴 sleeping tired|schlafen müde
🥱 yawning tired|gähnen müde
🤒 ill thermometer|krank thermometer
🤧 sneezing cold|niesen erkältung
😷 mask ill|maske krank
🤓 nerd glasses|nerd brille
😎 cool sunglasses|cool sonnenbrille
🥳 partying birthday|feiern geburtstag
🤩 star struck|sterne begeistert
😬 grimacing awkward|grimasse peinlich
🫠 melting|schmelzen
🫡 saluting yes|salutieren jawohl
🤝 handshake deal|handschlag abgemacht
🙌 raised hands hooray|hände hoch hurra
👋 waving hello goodbye|winken hallo tschüss
🤞 crossed fingers luck|daumen drücken glück
✌️ victory peace|sieg frieden
👌 ok fine|ok passt
🤙 call me|ruf an
💪 strong muscle|stark muskel
👆 pointing up above|zeigen oben
👇 pointing down below|zeigen unten
👉 pointing right|zeigen rechts
☝️ one finger up|ein finger zeigefinger
✋ raised hand stop|hand heben stopp
🤷 shrug no idea|schulterzucken keine ahnung
🤦 facepalm|hand vors gesicht
🙋 raising hand me|melden ich
🙇 bowing sorry|verbeugen entschuldigung
🧡 orange heart|oranges herz
💛 yellow heart|gelbes herz
💚 green heart|grünes herz
💙 blue heart|blaues herz
💜 purple heart|lila herz
🖤 black heart|schwarzes herz
💔 broken heart|gebrochenes herz
⭐ star favourite|stern favorit
🌟 glowing star|leuchtender stern
✨ sparkles new magic|funkeln neu magie
💥 boom collision|knall zusammenstoß
💡 idea light bulb|idee glühbirne
⚡ lightning fast power|blitz schnell strom
❗ exclamation important|ausrufezeichen wichtig
❓ question|frage fragezeichen
⚠️ warning careful|warnung achtung
⛔ no entry stop|kein zutritt stopp
❌ cross no wrong|kreuz nein falsch
☑️ ballot check|angekreuzt haken
➕ plus add|plus dazu
🆗 ok button|ok knopf
🆕 new button|neu
🔴 red circle|roter kreis
🟢 green circle|grüner kreis
🟡 yellow circle|gelber kreis
🔵 blue circle|blauer kreis
🏁 finish flag|ziel flagge
🚩 flag problem|fahne problem
🎯 target bullseye|ziel treffer
🏆 trophy winner|pokal sieg
🥇 gold medal first|gold medaille erste
🎁 gift present|geschenk
🎂 birthday cake|geburtstag torte
🎈 balloon|ballon
🍾 bottle champagne|sekt flasche
🥂 cheers glasses|anstoßen gläser prost
🍺 beer|bier
🍻 beers cheers|biere prost
🍷 wine|wein
☕ coffee tea break|kaffee tee pause
🫖 teapot tea|teekanne tee
🍕 pizza lunch|pizza mittag
🍔 burger lunch|burger mittag
🥗 salad lunch|salat mittag
🍰 cake|kuchen
🍪 cookie|keks
🍎 apple|apfel
🍌 banana|banane
🍀 clover luck|klee glück
🌈 rainbow|regenbogen
☀️ sun weather|sonne wetter
🌧️ rain weather|regen wetter
❄️ snow cold|schnee kalt
🌊 wave sea|welle meer
🌍 earth world|erde welt
🌱 seedling growing|keimling wachsen
🌹 rose flower|rose blume
🐛 bug defect|käfer fehler
🐞 ladybug bug|marienkäfer fehler
🐶 dog|hund
🐱 cat|katze
🦄 unicorn|einhorn
🐢 turtle slow|schildkröte langsam
🐌 snail slow|schnecke langsam
🐘 elephant|elefant
🦆 duck|ente
🦉 owl|eule
🐝 bee busy|biene fleißig
💻 laptop computer|laptop rechner
🖥️ desktop computer screen|rechner bildschirm
📱 phone|telefon handy
🎧 headphones|kopfhörer
🎤 microphone|mikrofon
📷 camera|kamera
🔋 battery full|batterie voll
🪫 battery low tired|batterie leer müde
🔌 plug power|stecker strom
🔧 wrench fix|schraubenschlüssel reparieren
🔨 hammer build|hammer bauen
🛠️ tools fix|werkzeug reparieren
⚙️ gear settings|zahnrad einstellungen
🧪 test tube experiment|reagenzglas versuch
🔍 search magnifier|suche lupe
🔒 lock closed|schloss zu
🔓 unlocked open|schloss offen
🔑 key|schlüssel
📌 pin|pinnnadel merken
📎 paperclip attachment|büroklammer anhang
📝 memo note writing|notiz schreiben
📄 document page|dokument seite
📁 folder|ordner
📦 package release|paket veröffentlichung
📈 chart rising|diagramm steigend
📉 chart falling|diagramm fallend
📊 bar chart|balkendiagramm
📅 calendar date|kalender datum
⏰ alarm clock|wecker
⏳ hourglass waiting|sanduhr warten
🕐 clock one time|uhr eins zeit
📣 megaphone announce|megafon ansage
🔔 bell notify|glocke hinweis
🔕 bell muted|glocke stumm
💬 speech balloon chat|sprechblase chat
💭 thought balloon|gedankenblase
🏠 house home|haus zuhause
🏢 office building|büro gebäude
🚗 car|auto
🚲 bicycle|fahrrad
🚆 train|zug
✈️ airplane travel|flugzeug reise
🏖️ beach holiday|strand urlaub
⛰️ mountain|berg
⚽ football|fußball
🎸 guitar music|gitarre musik
🎵 music note|musik note
🎬 film clapper|film klappe
🎮 game|spiel
🧩 puzzle piece|puzzle teil
🧠 brain|gehirn
🤖 robot bot|roboter bot
👻 ghost|gespenst
💩 poo|haufen
💀 skull dead|totenkopf
👑 crown|krone
🦸 superhero|superheld
🧙 wizard mage|zauberer magier
🧑‍💻 technologist developer|entwickler technik
🏳️‍🌈 rainbow flag pride|regenbogenfahne
🇩🇪 germany flag|deutschland flagge
🇦🇹 austria flag|österreich flagge
🇨🇭 switzerland flag|schweiz flagge
🇬🇧 united kingdom flag|großbritannien flagge
🇺🇸 united states flag|usa flagge
🇪🇺 european union flag|europa flagge`

export interface NamedEmoji {
  emoji: string
  /** Lower-case words: what it is called first. */
  words: { en: string; de: string }
}

/** Those that people react with most come first. All others of the standard can be pasted into the search. */
export const EMOJI_LIST: readonly NamedEmoji[] = LINES.trim()
  .split('\n')
  .map((line) => {
    const space = line.indexOf(' ')
    const [en = '', de = ''] = line.slice(space + 1).split('|')
    return { emoji: line.slice(0, space), words: { en, de } }
  })
