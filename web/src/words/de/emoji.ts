export const names = `
👍 daumen hoch ja gut einverstanden
👎 daumen runter nein schlecht
❤️ rotes herz liebe
😂 lachen tränen freude
🎉 feier party hurra
🙏 danke bitte gefaltete hände
👀 augen schauen
✅ erledigt haken ja
🔥 feuer heiß toll
🚀 rakete start
👏 klatschen applaus bravo
💯 hundert punkte perfekt
😀 grinsen froh
😃 lächeln froh
😄 lächelnde augen froh
😁 strahlen
😅 schwitzen erleichtert puh
🤣 kugeln lachen boden
🙂 leicht lächeln
🙃 kopfüber verkehrt
😉 zwinkern
😊 erröten erfreut
😇 engel heiligenschein
🥰 herzen verliebt
😍 herzaugen liebe
😘 kuss
😋 lecker
😜 zunge zwinkern scherz
🤪 verrückt
🤗 umarmung
🤔 nachdenken hm
🤨 augenbraue zweifel
😐 neutral
😶 sprachlos mund
🙄 augen rollen
😏 verschmitzt
😮 überrascht oh
😯 verblüfft
😲 erstaunt
😳 verlegen
🥺 flehen
😢 weinen traurig
😭 heulen traurig
😱 schreien angst
😤 dampf ärger
😠 wütend
🤯 umwerfend explodierender kopf
😴 schlafen müde
🥱 gähnen müde
🤒 krank thermometer
🤧 niesen erkältung
😷 maske krank
🤓 nerd brille
😎 cool sonnenbrille
🥳 feiern geburtstag
🤩 sterne begeistert
😬 grimasse peinlich
🫠 schmelzen
🫡 salutieren jawohl
🤝 handschlag abgemacht
🙌 hände hoch hurra
👋 winken hallo tschüss
🤞 daumen drücken glück
✌️ sieg frieden
👌 ok passt
🤙 ruf an
💪 stark muskel
👆 zeigen oben
👇 zeigen unten
👉 zeigen rechts
☝️ ein finger zeigefinger
✋ hand heben stopp
🤷 schulterzucken keine ahnung
🤦 hand vors gesicht
🙋 melden ich
🙇 verbeugen entschuldigung
🧡 oranges herz
💛 gelbes herz
💚 grünes herz
💙 blaues herz
💜 lila herz
🖤 schwarzes herz
💔 gebrochenes herz
⭐ stern favorit
🌟 leuchtender stern
✨ funkeln neu magie
💥 knall zusammenstoß
💡 idee glühbirne
⚡ blitz schnell strom
❗ ausrufezeichen wichtig
❓ frage fragezeichen
⚠️ warnung achtung
⛔ kein zutritt stopp
❌ kreuz nein falsch
☑️ angekreuzt haken
➕ plus dazu
🆗 ok knopf
🆕 neu
🔴 roter kreis
🟢 grüner kreis
🟡 gelber kreis
🔵 blauer kreis
🏁 ziel flagge
🚩 fahne problem
🎯 ziel treffer
🏆 pokal sieg
🥇 gold medaille erste
🎁 geschenk
🎂 geburtstag torte
🎈 ballon
🍾 sekt flasche
🥂 anstoßen gläser prost
🍺 bier
🍻 biere prost
🍷 wein
☕ kaffee tee pause
🫖 teekanne tee
🍕 pizza mittag
🍔 burger mittag
🥗 salat mittag
🍰 kuchen
🍪 keks
🍎 apfel
🍌 banane
🍀 klee glück
🌈 regenbogen
☀️ sonne wetter
🌧️ regen wetter
❄️ schnee kalt
🌊 welle meer
🌍 erde welt
🌱 keimling wachsen
🌹 rose blume
🐛 käfer fehler
🐞 marienkäfer fehler
🐶 hund
🐱 katze
🦄 einhorn
🐢 schildkröte langsam
🐌 schnecke langsam
🐘 elefant
🦆 ente
🦉 eule
🐝 biene fleißig
💻 laptop rechner
🖥️ rechner bildschirm
📱 telefon handy
🎧 kopfhörer
🎤 mikrofon
📷 kamera
🔋 batterie voll
🪫 batterie leer müde
🔌 stecker strom
🔧 schraubenschlüssel reparieren
🔨 hammer bauen
🛠️ werkzeug reparieren
⚙️ zahnrad einstellungen
🧪 reagenzglas versuch
🔍 suche lupe
🔒 schloss zu
🔓 schloss offen
🔑 schlüssel
📌 pinnnadel merken
📎 büroklammer anhang
📝 notiz schreiben
📄 dokument seite
📁 ordner
📦 paket veröffentlichung
📈 diagramm steigend
📉 diagramm fallend
📊 balkendiagramm
📅 kalender datum
⏰ wecker
⏳ sanduhr warten
🕐 uhr eins zeit
📣 megafon ansage
🔔 glocke hinweis
🔕 glocke stumm
💬 sprechblase chat
💭 gedankenblase
🏠 haus zuhause
🏢 büro gebäude
🚗 auto
🚲 fahrrad
🚆 zug
✈️ flugzeug reise
🏖️ strand urlaub
⛰️ berg
⚽ fußball
🎸 gitarre musik
🎵 musik note
🎬 film klappe
🎮 spiel
🧩 puzzle teil
🧠 gehirn
🤖 roboter bot
👻 gespenst
💩 haufen
💀 totenkopf
👑 krone
🦸 superheld
🧙 zauberer magier
🧑‍💻 entwickler technik
🏳️‍🌈 regenbogenfahne
🇩🇪 deutschland flagge
🇦🇹 österreich flagge
🇨🇭 schweiz flagge
🇬🇧 großbritannien flagge
🇺🇸 usa flagge
🇪🇺 europa flagge`
