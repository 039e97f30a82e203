"""Who is a person: first names, and what only people do."""

from __future__ import annotations

# First names of many countries that are no English words and no products.
FIRST_NAMES = frozenset(
    """aarav aaron abdul abdullah abena abigail adaeze adam adele aditi aditya adrian adriana agata agnes
    agnieszka ahmed aiko aino aisha ajay akira alan alba alejandra alejandro aleksandra aleksei alena
    alessandro alexander alexandra alexei alexey alfonso ali alice alicia alina allison alvaro alyssa ama
    amadou amanda amara amelia amina amir amira amit amrita ana anastasia anders andre andrea andreas
    andrei andrew andrzej andy angela angelika anika anil anita anja anjali ankit ann anna anne annika
    anouk ansel anthony anton antonia antonio anya aoife arash ariel arjun armin arnaud arne arthur artur
    arun asha ashley astrid aurelie ayodele ayse ayumi bao barbara bartek bastian beata beatrice beatriz
    ben benjamin bernard bernd bert bianca bilal birgit bjorn bogdan boris brandon brenda brian bridget
    bronwen bruno callum camila camille carla carlos carmen carol carolina caroline catarina catherine
    cecilia cedric celine chandra charles charlotte chen chiara chidi chinedu chioma chloe chris christian
    christina christine christoph christopher ciaran cindy clara claudia clemens colin connor constantin
    corinna cristina cynthia dafydd dagmar damian daniel daniela daria dario darren dave david deborah
    deepak delphine denis denise derek diana diego dieter dilip dimitri dina dmitri dmitry dominik donald
    dong dorota dorothy doug douglas dylan edith eduardo edward eero ekaterina elena eleni elias elif elin
    elisa elise elizabeth ella ellen elodie eloise elsa emeka emil emilia emily emma emmanuel enrique eoin
    eric erica erik erika erin ernesto esra esther ethan eugene eva evelyn evgeny ewa ewan fabian fabio
    farah farid fatima fatma federica federico felicia felix femi ferdinand fernanda fernando filip fiona
    florence florian folake francesca francesco francis francisco franco francois frank franziska fred
    frederic frida friedrich fumiko gabor gabriel gabriela gabriele gareth gary georg george gerard
    gerhard gianna gilbert gina giorgio giovanni giulia giulio giuseppe gonzalo gordon greg gregor gregory
    greta guido guillaume gunnar gustavo hakim hamid hana hanna hannah hans harald haruka haruto hasan
    hassan heather hector heidi heike helen helena helene helga hendrik henri henrik henry herbert hideo
    hiroko hiroshi huda ian ibrahim ida idris ifeoma ignacio igor ilse imran ines inga inge ingrid irene
    irina isaac isabel isabella isla ivan ivana iwona jaakko jacek jackie jacob jacques jaime jakob jakub
    james jamila jan jana jane janet janina jaroslav jasmin jason javier jean jeff jeffrey jenna jennifer
    jenny jens jeremy jessica jesus jiho jin joan joana joanna joao joaquin joe joel johan johanna
    johannes john jonas jonathan jorge jose josef joseph josh joshua juan juergen jukka julian juliana
    julie juliette jun jung junko justin justyna jutta kacper kai kamil kamila karen karim karin karina
    karl karolina karsten kasia katarina kate katerina katharina katherine kathleen kathrin katie katja
    katrin kavita kavya kazuki keiko keith kelly kemi ken kenji kenneth kevin khalid kim kirsten klara
    klaus kofi konrad konstantin kostas kristin kristina krzysztof kumar kunal kurt kwame kyle kyoko lars
    laszlo laura lauren laurent lea leah leila lena leo leon leonard leonardo leticia lewis li liam lidia
    lieke lilian liliana lin linda linh linnea lisa lorena lorenzo lothar louis louise luca lucas lucia
    luciana lucie luigi luis luisa lukas lukasz luke lwazi lydia maarten maciej madeleine magda magdalena
    mahmoud maja makoto malik malin manfred manuel manuela mara marc marcel marcelo marcin marco marcos
    marcus marek margaret maria mariana marie marina mario marion marius marko markus marta martha martin
    martina marwan mary masha mateo mateus mathias mathieu matilda matt matteo matthew matthias maureen
    maurice mauro max maxim maya megan mehmet mei melanie melissa mia michael michal michel michele
    michelle miguel mihai mika mikael mike mikhail mila milan milena milos min mina ming minh mira miriam
    misha mitra mohamed mohammed mohit moira monica monika morgane moritz muhammad murat mustafa myriam
    nadia nadine naledi naomi natalia natalie natasha nathalie nathan neha ngozi nia niamh nico nicola
    nicolas nicole niels nikhil nikita nikola nikolai nils nina nisha noah noam noemi noor nora norbert
    nuno obinna odile oisin ola olaf oleg olga oliver olivia olivier oluwaseun omar oscar oskar osman otto
    owen pablo padraig paola paolo pascale patricia patrick patrik paul paula paulina paulo pavel pawel
    pedro peggy pekka pelin petar peter petra philip philipp philippe phoebe pia pierre pietro piotr pooja
    prakash priya qing quentin rachel radek rafael rafal rahel rahul rainer raj rajesh ralf ralph ramon
    rania raphael raquel rashid rasmus ravi rebecca regina reiner rekha renata renate rene reza rhys
    ricardo richard rita robert roberta roberto robin rodrigo roger rohan rohit roland rolf romain roman
    ronald rosa rosalind rosie roxana ruben rudolf rui ruth ryan saad sabine sabrina sachin sade sadia
    salma salvador sam samantha samir samira samuel samuli sandeep sandra sandrine sanjay sanna sanne
    santiago saoirse sara sarah sascha sasha satoshi scott sean sebastian selin selma serena serge sergei
    sergey sergio seth shankar sharon shirin shreya siddharth sigrid silke silvia simon simone siobhan
    sipho sofia sofie solveig sonia sonja sophia sophie soren stefan stefanie stefano stella stephan
    stephanie stephen steve steven stuart suresh susan susanne svein sven svenja svetlana sylvia sylvie
    szymon tadeusz tamar tamara tanja tanya tara tariq tatiana tatjana terence teresa tereza thabo thandi
    thanh theo theodora theresa thierry thomas thorsten tiago tiffany tim timo timothy tina tobias todd
    tom tomas tomasz tommaso toni tony tove trevor tristan tuan tunde tuomas udo ulrich ulrike umar urs
    ursula usha uta uwe vaclav valentin valentina valeria vanessa vera verena veronica veronika victor
    victoria vijay vikram viktor ville vinay vincent virginia vishal vivek vivian vladimir volker walter
    wanda wei wendy werner wilhelm william winfried wojciech wolfgang xavier xiao xin yael yan yannick
    yara yasmin yasmine yaw yetunde yosef youssef yu yuki yuko yulia yuri yusuf yvonne zainab zanele zara
    zeynep zhang zoe zofia zsofia""".split()
)

# First names that are words or products as well: they need one of the words below beside them.
UNSURE_NAMES = frozenset(
    """ada alan amber april art august autumn bill bob carol chase dan dawn dean don drew ed eve faith
    frank gene grace grant guy hope hunter iris ivy jack jade jasper jay jean jim jimmy jo jordan josh joy
    june kay kit lance lane lee lily mark max may miles nick pat penny ray rex rich rob robin rocky rose
    roy ruby sage shane sid sky sue summer ted terry tom tony val violet wade ward warren will wren xi yi
    zed""".split()
)

# Behind a name, only people do this.
PERSON_VERBS = frozenset(
    """agreed agrees approved approves argued asked asks believes bisected complained complains confirmed
    confirms debugged decided deployed discovered dislikes explained fixed found handles hates insisted
    insists investigated joined knew knows leads led left likes looked maintained maintains mentioned
    merged merges moved noticed objected owned owns paired pointed preferred prefers promised proposed
    proposes pushed recommended recommends remembers reported reports reverted reviewed reviews rewrote
    said says signed spent spotted suggested suggests tells thinks thought told tracked vetoed volunteered
    volunteers wanted wants writes wrote""".split()
)
# Before a name, these have a person behind them.
PERSON_BEFORE = frozenset(
    """ask asked asking assigned author boss cc colleague contact coworker credit dear email hello hey hi
    kudos mailed maintainer manager mentor met owner paired per ping pinged reviewer teammate tell thank
    thanks told""".split()
)
# With "with", "to" or "from" behind them: "spoke with Ravi", "talked to Ines", "took over from Wei".
PERSON_PAIRS = frozenset(
    """according/to agreed/with approved/by asked/by assigned/to belongs/to built/by call/with chat/with
    checked/with created/by credit/to discussed/with done/by feedback/from fixed/by found/by handed/to
    heard/from idea/by introduced/by mail/from maintained/by merged/by message/from met/with note/from
    over/from over/to owned/by paired/with patch/by pr/by proposal/by question/from re-created/by
    reported/by request/from requested/by review/by reviewed/by signed/by spoke/to spoke/with suggested/by
    sync/with talked/to talked/with thanks/to word/from written/by""".split()
)
# Who somebody is, not who: "User said".
ROLES = frozenset(
    """admin boss client customer design docs documentation everyone finance legal manager marketing
    nobody ops product qa readme reviewer sales security somebody someone spec support team user users
    vendor who""".split()
)
TITLES = frozenset("mr mrs ms dr prof".split())
